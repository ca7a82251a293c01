import { callApi, changeSettings } from './api.ts'
import { askForAll, expect, test } from './console.ts'
import { says } from './says.ts'

const task = { task_type: 1, command: 'true', cover: 1, servers: [] }

test('product spec 2, 4 and 8: lists, their dialogs and what is said when something fails', async ({
  signedIn: page,
}) => {
  for (const name of ['spec-a', 'spec-b', 'spec-c']) await callApi(page, 'POST', 'cron', { ...task, name })
  const dialog = page.getByRole('dialog')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const fails = (path: string, method: string, error: string) =>
    page.route(path, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 200, json: { success: false, error } })
        : route.continue(),
    )
  await says(2, 'Notifier and server lists reload on every route change.', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const [path, list] of [
      ['notification', '/api/v1/notification'],
      ['cron', '/api/v1/cron'],
      ['notification', '/api/v1/notification'],
    ] as const) {
      asked.length = 0
      await page
        .getByRole('banner')
        .getByRole('link', { name: path === 'cron' ? 'Task' : 'Notification' })
        .click()
      await expect(page).toHaveURL(new RegExp(`/dashboard/${path}`))
      await expect.poll(() => asked).toContain(list)
    }
  })
  await page.goto('/dashboard/cron')
  await says(
    2,
    'Select-all and per-row checkbox column, bulk delete at the top, per-row delete, create/edit dialog',
    async () => {
      await page.getByRole('search').getByRole('combobox').fill('spec-')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('row')).toHaveCount(4)
      await row('spec-a').getByRole('checkbox').press('Space')
      await page.getByRole('columnheader').getByRole('checkbox').press('Space')
      const bar = page.getByRole('toolbar', { name: 'Selection' })
      await expect(bar).toContainText('3')
      await bar.getByRole('button', { name: /Delete/ }).click()
      await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion?' })).toContainText(
        'This operation cannot be undone!',
      )
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Deselect all' }).click()
      await row('spec-a').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await says(8, 'Delete failure: toast with the server error message.', async () => {
        await fails('**/api/v1/batch-delete/cron', 'POST', 'it is in use')
        await page.keyboard.press('Control+Enter')
        await expect(page.getByText('it is in use').first()).toBeVisible()
        await expect(row('spec-a')).toBeVisible()
        await page.unroute('**/api/v1/batch-delete/cron')
      })
    },
  )
  await says(4, 'Dialogs close and the list reloads after a successful save; on failure they stay open.', async () => {
    await row('spec-a').focus()
    await page.keyboard.press('e')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('spec-d')
    await says(8, 'Errors appear as toasts unless stated.', async () => {
      await fails('**/api/v1/cron/*', 'PATCH', 'the disk is full')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Unexpected error, Please see the console for details.').first()).toBeVisible()
      await expect(page.getByText('the disk is full').first()).toBeVisible()
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('spec-d')
      await page.unroute('**/api/v1/cron/*')
    })
    await dialog.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Control+Enter')
    await expect(row('spec-d')).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeHidden()
  })
  await says(2, 'Table height fits the window.', async () => {
    const heights = () => page.evaluate(() => [document.documentElement.scrollHeight, innerHeight])
    const [content, window] = await heights()
    expect(content).toBeLessThanOrEqual(window!)
  })
  await says(
    8,
    'User list error uses Results.UnExpectedError; online-user and WAF lists show inline error text.',
    async () => {
      await page.route('**/api/v1/waf?*', (route) => route.fulfill({ status: 500, json: { error: 'no room' } }))
      await page.goto('/dashboard/settings/waf')
      await expect(page.getByRole('main').getByText(/Error Fetching Resource/)).toBeVisible()
      await page.unroute('**/api/v1/waf?*')
    },
  )
})

test('product spec 2 and 4: alert rules; several choices in one box; code that fails', async ({ signedIn: page }) => {
  const dialog = page.getByRole('dialog')
  await says(
    2,
    "Create button; bulk delete (error 'No rows are selected' if nothing selected); Loading and No results states.",
    async () => {
      await askForAll(page)
      let answer = () => {}
      const held = new Promise<void>((resolve) => (answer = resolve))
      await page.route('**/api/v1/alert-rule', async (route) => {
        await held
        await route.continue()
      })
      await page.goto('/dashboard/alert-rule')
      const bars = page.locator('main [aria-hidden=true]', { hasText: 'Trigger mode' }).first()
      await expect(bars).toBeVisible()
      answer()
      await expect(bars).toHaveCount(0)
      await page.unroute('**/api/v1/alert-rule')
      await expect(page.getByRole('button', { name: /^New rule/ }).first()).toBeVisible()
      const body = { rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }], enable: false, trigger_mode: 0 }
      await callApi(page, 'POST', 'alert-rule', { name: 'spec-rule', ...body })
      await page.getByRole('search').getByRole('combobox').fill('nothing-like-this')
      await page.keyboard.press('Enter')
      await expect(page.getByText('No results').first()).toBeVisible()
      await page.getByRole('button', { name: 'Clear filter' }).first().click()
      await expect(page.getByRole('row', { name: /spec-rule/ })).toBeVisible()
    },
  )
  await says(2, "Dialog titled 'Create Alert Rules' or 'Edit Alert Rules'.", async () => {
    await page.getByRole('row', { name: /spec-rule/ }).focus()
    await page.keyboard.press('e')
    await expect(page.getByRole('dialog', { name: 'Edit Alert Rules' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expect(page.getByRole('dialog', { name: 'Create Alert Rules' })).toBeVisible()
  })
  await says(4, 'Alert rule dialog on success also resets the form.', async () => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill('spec-second')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('row', { name: /spec-second/ })).toBeVisible()
    await page.keyboard.press('c')
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('')
    await page.keyboard.press('Escape')
  })
  await says(9, "Multi-select shows 3 badges then a '+N more' badge.", async () => {
    const servers = (await callApi(page, 'GET', 'cron')) as { id: number }[]
    const ids = servers.map(({ id }) => id)
    for (let count = ids.length; count < 5; count++)
      ids.push((await callApi(page, 'POST', 'cron', { ...task, name: `badge-${count}` })) as number)
    const rules = [{ type: 'cpu', max: 90, duration: 10, cover: 0 }]
    const body = { rules, enable: false, trigger_mode: 0, fail_trigger_tasks: ids.slice(0, 5) }
    await callApi(page, 'POST', 'alert-rule', { name: 'spec-many', ...body })
    await page.getByRole('row', { name: /spec-many/ }).focus()
    await page.keyboard.press('e')
    await expect(dialog.getByText('+2 more')).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await says(8, 'Injected custom code failures are logged only.', async () => {
    const logged: string[] = []
    page.on('pageerror', ({ message }) => logged.push(message))
    await changeSettings(page, { custom_code_dashboard: '<script>throw new Error("mine is broken")</script>' })
    await page.goto('/dashboard/cron')
    await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
    await expect.poll(() => logged).toContain('mine is broken')
    await expect(page.getByText('mine is broken')).toHaveCount(0)
    await changeSettings(page, { custom_code_dashboard: '' })
  })
})
