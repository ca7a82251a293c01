import type { Locator, Page } from '@playwright/test'
import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { admin, expect, test } from './console.ts'

/** Opens the form of a new task on the page of tasks. */
async function newTask(page: Page) {
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New task' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  return form
}

async function createTask(page: Page, name: string) {
  const form = await newTask(page)
  await page.keyboard.type(name)
  await form.getByRole('textbox', { name: 'Command' }).fill('true')
  await form.getByRole('textbox', { name: 'Schedule' }).fill('0 0 3 * * *')
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
}

async function editTask(page: Page, name: string) {
  await page.getByRole('row', { name: new RegExp(name) }).focus()
  await page.keyboard.press('e')
  const form = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  return form
}

test('P-36: Mod+Enter on a wrong form goes to the first wrong field, Escape asks only where something is lost', async ({
  signedIn: page,
}) => {
  const form = await newTask(page)
  // Issue 12.11.
  await expect(form.getByRole('complementary').getByText(/^It targets no servers/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await newTask(page)
  await form.getByRole('textbox', { name: 'Schedule' }).focus()
  await page.keyboard.press('Control+Enter')
  const name = form.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('Required')
  // Issue 12, friction: a crontab's five fields are taken with one press.
  const schedule = form.getByRole('textbox', { name: 'Schedule' })
  await schedule.fill('0 3 * * *')
  await form.getByRole('button', { name: 'Use 0 0 3 * * *' }).click()
  await expect(schedule).toHaveValue('0 0 3 * * *')
  await expect(schedule).toBeFocused()
  await name.focus()
  expect(await violations(page)).toEqual([])
  await page.keyboard.type('half done')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(name).toHaveValue('half done')
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
})

test('N-18: opened, saved, opened and saved again; z takes the last edit back', async ({ signedIn: page }) => {
  await createTask(page, 'again')
  for (const letter of ['1', '2']) {
    const form = await editTask(page, 'again')
    await page.keyboard.press('End')
    await page.keyboard.type(letter)
    await expect(form.getByText('1 change: Name')).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()
  }
  await expect(page.getByRole('row', { name: /again12/ })).toBeFocused()
  await page.keyboard.press('z')
  await expect(page.getByRole('row', { name: /again1(?!2)/ })).toBeVisible()
})

test('somebody else was faster: theirs or mine', async ({ signedIn: page }) => {
  await createTask(page, 'shared')
  const form = await editTask(page, 'shared')
  await page.evaluate(async () => {
    const token = decodeURIComponent(/nz-csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '')
    const rows = (await (await fetch('/api/v1/cron')).json()).data as Record<string, unknown>[]
    const { id, name, task_type, scheduler, cover, servers } = rows.find((row) => row.name === 'shared')!
    const body = {
      name,
      task_type,
      scheduler,
      cover,
      servers,
      command: 'false',
      push_successful: false,
      notification_group_id: 0,
    }
    await fetch(`/api/v1/cron/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': token },
      body: JSON.stringify(body),
    })
  })
  await page.keyboard.type('mine')
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText('They changed: Command')).toBeVisible()
  await form.getByRole('button', { name: 'Use theirs' }).click()
  await expect(form.getByRole('textbox', { name: 'Command' })).toHaveValue('false')
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('shared')
})

test('a session that ends in mid-form: sign-in in place, nothing typed is lost', async ({ signedIn: page }) => {
  const form = await newTask(page)
  await page.keyboard.type('kept')
  await form.getByRole('textbox', { name: 'Command' }).fill('true')
  await form.getByRole('textbox', { name: 'Schedule' }).fill('@hourly')
  await page.context().clearCookies({ name: 'nz-jwt' })
  await page.keyboard.press('Control+Enter')
  const login = page.getByRole('dialog', { name: 'Your session has ended' })
  // Issue 12.7: the password has the focus, and Escape loses nothing.
  await expect(login.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(login).toBeVisible()
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(login).toBeHidden()
  await expect(page.getByRole('row', { name: /kept/ })).toBeVisible()
})

test('issue 12.8: a server that cannot be reached is said as that, what the server refuses keeps the title of the specification', async ({
  signedIn: page,
}) => {
  const form = await newTask(page)
  await page.keyboard.type('never saved')
  await form.getByRole('textbox', { name: 'Command' }).fill('true')
  await form.getByRole('textbox', { name: 'Schedule' }).fill('@hourly')
  await page.route('**/api/v1/cron', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Can’t reach/)).toBeVisible()
  await expect(page.getByText(/^Unexpected error/)).toBeHidden()
  await page.unroute('**/api/v1/cron')
  await page.route('**/api/v1/cron', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 200, json: { success: false, error: 'the disk is full' } })
      : route.continue(),
  )
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Unexpected error, Please see the console for details.')).toBeVisible()
  await expect(page.getByText('the disk is full')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('never saved')
})

/** A press as a hand makes it: down, a moment in which the page may draw, up; just below the upper edge, where the least move misses. */
async function pressAtEdge(page: Page, target: Locator) {
  const { x, y, width } = (await target.boundingBox())!
  await page.mouse.move(x + width / 2, y + 3)
  await page.mouse.down()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.mouse.up()
}

test('issue 12, looks: an error that comes or goes when a field is left moves nothing away from the press that left it', async ({
  signedIn: page,
}) => {
  await callApi(page, 'POST', 'notification', {
    name: 'pressed siren',
    url: 'http://127.0.0.1:9/',
    request_method: 1,
    request_type: 1,
    request_header: '',
    request_body: '',
    verify_tls: true,
    format_metric_units: true,
    skip_check: true,
  })
  await page.goto('/dashboard/notification-group')
  await expect(page.getByRole('heading', { name: 'Notification groups' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New notification group' })
  const name = form.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await pressAtEdge(page, form.getByRole('button', { name: 'Cancel' }))
  await expect(form).toBeHidden()

  await page.keyboard.press('c')
  await expect(name).toBeFocused()
  await pressAtEdge(page, form.getByRole('button', { name: 'Show options' }))
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(name).toHaveAccessibleDescription('Required')
  await name.fill('pressed')

  // What is open over a form hides the rest of it from screen readers, not from the mouse.
  const save = form.getByRole('button', { name: 'Save', includeHidden: true })
  const box = form.getByRole('combobox')
  await box.fill('no such notifier')
  await pressAtEdge(page, save)
  await expect(box).toHaveAccessibleDescription(/no such notifier/)
  await box.fill('pressed sire')
  await pressAtEdge(page, save)
  await expect(form).toBeHidden()
  await expect(page.getByRole('row', { name: /pressed.*pressed siren/ })).toBeVisible()
})
