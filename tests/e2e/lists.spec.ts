import type { Page } from '@playwright/test'
import { createBrowser } from '../support/browser.ts'
import { violations } from './axe.ts'
import { admin, expect, test } from './console.ts'

/** More groups than fit on a screen, so that paging and scrolling have something to do. */
const count = 60
const nameOf = (index: number) => `team-${String(index).padStart(2, '0')}`

/** Takes every group away, then makes so many. */
async function haveGroups(url: string, wanted: number) {
  const browser = createBrowser(url)
  await browser.login(admin.username, admin.password)
  const groups = ((await browser.api('GET', 'server-group')) ?? []) as { group: { id: number } }[]
  const ids = groups.map(({ group }) => group.id)
  if (ids.length > 0) await browser.api('POST', 'batch-delete/server-group', ids)
  for (let index = 1; index <= wanted; index++)
    await browser.api('POST', 'server-group', { name: nameOf(index), servers: [] })
}
test.beforeAll(({ product }) => haveGroups(product.url, count))
test.afterAll(({ product }) => haveGroups(product.url, 0))

const row = (page: Page, index: number) => page.getByRole('row', { name: new RegExp(nameOf(index)) })

async function openGroups(page: Page, search = '') {
  await page.goto(`/dashboard/server-group${search}`)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
}

test('P-30: j, k, arrows, Home, End, PgUp and PgDn move; the focused row is in view', async ({ signedIn: page }) => {
  await openGroups(page)
  const isAt = async (index: number) => {
    await expect(row(page, index)).toBeFocused()
    await expect(row(page, index)).toBeInViewport()
  }
  const steps: [key: string, lands: number][] = [
    ['j', 1],
    ['j', 2],
    ['ArrowDown', 3],
    ['k', 2],
    ['ArrowUp', 1],
    ['PageDown', 21],
    ['PageDown', 41],
    ['PageUp', 21],
    ['End', count],
    ['Home', 1],
  ]
  for (const [key, lands] of steps) {
    await page.keyboard.press(key)
    await isAt(lands)
  }
})

test('P-31: x, X, Shift+arrows and * mark, marks survive filter and reload, Escape clears filter then marks', async ({
  signedIn: page,
}) => {
  await openGroups(page)
  const says = (text: string) => expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText(text)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await says(`1 of ${count} selected`)
  for (const key of ['j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await says(`3 of ${count} selected`)
  await page.keyboard.press('Shift+ArrowDown')
  await says(`4 of ${count} selected`)
  await page.keyboard.press('/')
  await page.keyboard.type('team-03')
  await page.keyboard.press('Enter')
  await says(`4 of ${count} selected`)
  await says('3 hidden by filter')
  await page.keyboard.press('R')
  await says(`4 of ${count} selected`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('search').getByRole('combobox')).toHaveValue('')
  await says(`4 of ${count} selected`)
  await page.keyboard.press('*')
  await says(`${count} of ${count} selected`)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeHidden()
})

test('s opens a menu of the columns; choosing the present one turns the order', async ({ signedIn: page }) => {
  await openGroups(page)
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  const menu = page.getByRole('menu', { name: 'Sort by…' })
  await expect(menu.getByRole('menuitem', { name: 'Name' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(row(page, 1)).toBeFocused()
  await page.keyboard.press('s')
  await expect(menu.getByRole('menuitem', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('row').nth(1)).toContainText(nameOf(count))
})

test('D4: the filter completes by keyboard, read out as a combobox', async ({ signedIn: page }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('onl')
  const filter = page.getByRole('combobox', { name: /^Filter/ })
  await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')).toHaveText([/^online/])
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^online/)
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(filter).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(filter).toHaveValue('online ')
  await page.keyboard.press('Enter')
  await expect(filter).not.toBeFocused()
  await page.keyboard.press('Escape')
  await expect(filter).toHaveValue('')
})

test('Enter opens the panel of a row that was focused as soon as it was there', async ({ signedIn: page }) => {
  for (let round = 0; round < 3; round++) {
    await page.goto('/dashboard')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('complementary')).toBeVisible()
  }
})

test('a panel opens beside the list as it is: filter and order stay, in the address and on screen', async ({
  signedIn: page,
}) => {
  await openGroups(page, '?q=team-0&sort=name-desc')
  await expect(page.getByRole('row')).toHaveCount(10)
  await row(page, 9).focus()
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/\?(?=.*q=team-0)(?=.*sort=name-desc)(?=.*open=\d+)/)
  await expect(page.getByRole('complementary', { name: nameOf(9) })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(10)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\?q=team-0&sort=name-desc$/)
})
