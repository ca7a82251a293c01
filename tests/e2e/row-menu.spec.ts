import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { askForAll, expect, test } from './console.ts'

test('issue 10: a row has a menu for the mouse, at its button and under the pointer, with Delete in it', async ({
  signedIn: page,
}) => {
  for (const name of ['menu-a', 'menu-b', 'menu-c']) await callApi(page, 'POST', 'server-group', { name, servers: [] })
  await page.goto('/dashboard/server-group')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await row('menu-a').hover()
  const button = row('menu-a').getByRole('button', { name: 'All actions' })
  await expect(button).toHaveCSS('opacity', '1')
  await expect(row('menu-b').getByRole('button', { name: 'All actions' })).toHaveCSS('opacity', '0')
  await button.click()
  const menu = page.getByRole('menu', { name: 'Actions: menu-a' })
  await expect(menu.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await menu.getByRole('menuitem', { name: 'Delete' }).click()
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Deletion?' })
  await expect(confirm.getByText('menu-a')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(row('menu-a')).toBeHidden()

  await row('menu-b').click({ button: 'right' })
  await expect(page.getByRole('menu', { name: 'Actions: menu-b' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page.getByRole('dialog')).toBeHidden()

  // On a marked row it is about all that are marked, on another about that one.
  for (const name of ['menu-b', 'menu-c']) {
    await row(name).focus()
    await page.keyboard.press('x')
  }
  await row('menu-c').click({ button: 'right' })
  const both = page.getByRole('menu', { name: 'Actions: 2 selected' })
  await expect(both.getByRole('menuitem', { name: 'Edit' })).toBeHidden()
  await both.getByRole('menuitem', { name: 'Delete' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(row('menu-c')).toBeHidden()
})

test('issue 10: on a phone every card has the same menu', async ({ signedIn: page }) => {
  await callApi(page, 'POST', 'server-group', { name: 'on a phone', servers: [] })
  await page.setViewportSize({ width: 400, height: 800 })
  await page.goto('/dashboard/server-group')
  const card = page.getByRole('row').filter({ hasText: 'on a phone' })
  const button = card.getByRole('button', { name: 'All actions' })
  const box = (await button.boundingBox())!
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44)
  await button.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(card).toBeHidden()
})

test('issue 10: the larger the weight of a server, the further up; the weight is in the sort menu', async ({
  signedIn: page,
}) => {
  const [server] = (await callApi(page, 'GET', 'server')) as { id: number; display_index: number }[]
  await askForAll(page)
  await page.route('**/api/v1/server', async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: object[] }
    const more = [
      { id: 901, name: 'zz-important', display_index: 9 },
      { id: 902, name: 'aa-later', display_index: -1 },
    ]
    await route.fulfill({ json: { success: true, data: [...data, ...more.map((one) => ({ ...data[0], ...one }))] } })
  })
  await page.goto('/dashboard')
  const names = () => page.getByRole('row').allInnerTexts()
  await expect.poll(async () => (await names())[1]).toContain('zz-important')
  await expect.poll(async () => (await names()).at(-1)).toContain('aa-later')
  expect(server).toBeDefined()
  const menu = page.getByRole('menu', { name: 'Sort by…' })
  // The heaviest first, then the other way round.
  for (const first of ['zz-important', 'aa-later']) {
    await page.keyboard.press('s')
    await menu.getByRole('menuitem', { name: 'Order' }).click()
    await expect(menu).toBeHidden()
    await expect.poll(async () => (await names())[1]).toContain(first)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('Delete is in sight in the longest menu: the menu moves up as far as it needs, and keeps Delete where it has to scroll', async ({
  signedIn: page,
}) => {
  for (const [width, height] of [
    [1280, 680],
    [1280, 400],
    [400, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/dashboard')
    const row = page.getByRole('row').nth(width === 400 ? 0 : 1)
    await row.click({ button: 'right' })
    const last = page.getByRole('menu').getByRole('menuitem').last()
    await expect(last).toHaveText(/^Delete/)
    await expect(last).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
  }
})
