import type { Page } from '@playwright/test'
import { createBrowser } from '../support/browser.ts'
import { admin, expect, test } from './console.ts'

/** More groups than fit on a screen; the filter leaves out those of other tests. */
const count = 60
const nameOf = (index: number) => `team-${String(index).padStart(2, '0')}`

test.beforeAll(async ({ product }) => {
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  for (let index = 1; index <= count; index++)
    await browser.api('POST', 'server-group', { name: nameOf(index), servers: [] })
})

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

test('issue 12.4: after a rename that moves a row the focus is on the record and in view, and comes back from a question', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/server-group?q=team-')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  for (const _ of [1, 2, 3]) await page.keyboard.press('j')
  await expect(row(page, nameOf(3))).toBeFocused()
  await page.keyboard.press('e')
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await name.fill('team-zz-last')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row(page, 'team-zz-last')).toBeFocused()
  await expect(row(page, 'team-zz-last')).toBeInViewport()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion?' })).toContainText('team-zz-last')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion?' })).toBeHidden()
  await expect(row(page, 'team-zz-last')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(row(page, nameOf(count))).toBeFocused()
})

test('issue 12.4: a row that the server moved out of sight is in view again before it can be deleted', async ({
  signedIn: page,
  product,
}) => {
  await page.goto('/dashboard/server-group?q=team-')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press('j')
  const focused = page.locator('[role="row"]:focus')
  const key = Number(await focused.getAttribute('data-key'))
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  await browser.api('PATCH', `server-group/${key}`, { name: 'team-zz-moved', servers: [] })
  await expect(page.getByRole('row').nth(4)).not.toHaveAttribute('data-key', String(key))
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion?' })).toContainText('team-zz-moved')
  await expect(page.locator(`[role="row"][data-key="${key}"]`)).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(row(page, 'team-zz-moved')).toBeFocused()
  // What is no longer there hands the focus to its neighbour, and not to the page.
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion?' })).toBeHidden()
  await expect(row(page, 'team-zz-moved')).toBeHidden()
  await expect(page.locator('[role="row"]:focus')).toBeInViewport()
})
