import type { Locator, Page } from '@playwright/test'
import { createBrowser } from '../support/browser.ts'
import { admin, expect, test } from './console.ts'
import { textTrouble } from './layout.ts'
import { colorOf, radiusOf, sizeOf, typeOf } from './tokens.ts'

const themes = ['light', 'dark'] as const
const widths = [1280, 890, 600, 400, 320] as const

test.beforeAll(async ({ product }) => {
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  await browser.api('POST', 'cron', {
    name: 'nightly-backup',
    command: 'true',
    scheduler: '0 0 3 * * *',
    cover: 1,
    task_type: 0,
    servers: [],
    push_successful: false,
    notification_group_id: 0,
  })
})

/** px, by computed style. */
const heightOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().height)
const widthOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().width)
const styleOf = (locator: Locator, property: string) =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
const fontOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const { fontSize, lineHeight, fontWeight } = getComputedStyle(element)
    return `${fontSize}/${lineHeight} ${fontWeight}`
  })
const up = (locator: Locator, levels: number) => locator.locator(`xpath=${Array(levels).fill('..').join('/')}`)

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })
const filterBox = (page: Page) => up(page.getByRole('search').getByRole('combobox'), 2)

async function openList(page: Page, path: string, theme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.goto(path)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
}

for (const theme of themes) {
  test(`the list has the bars, sizes and colours of tokens.md, ${theme}`, async ({ signedIn: page }) => {
    await openList(page, '/dashboard', theme)
    const header = page.getByRole('banner')
    const strip = page.getByRole('contentinfo')
    const head = page.getByRole('columnheader').nth(1)
    const row = page.getByRole('row').nth(1)
    const search = header.getByRole('button', { name: 'Palette' })

    expect(await heightOf(header)).toBe(sizeOf('Bars', 'header'))
    expect(await heightOf(up(title(page), 1))).toBe(sizeOf('Bars', 'page bar'))
    expect(await heightOf(up(filterBox(page), 1))).toBe(sizeOf('Bars', 'filter bar'))
    expect(await heightOf(head)).toBe(sizeOf('Bars', 'table head'))
    expect(await heightOf(strip)).toBe(sizeOf('Bars', 'hint strip'))
    expect(await heightOf(row)).toBe(sizeOf('Row height', 'compact'))
    expect(await heightOf(filterBox(page))).toBe(sizeOf('Control height', 'input'))
    expect(await heightOf(search)).toBe(sizeOf('Control height', 'button'))
    expect(await styleOf(filterBox(page), 'border-radius')).toBe(`${radiusOf('control')}px`)
    expect(await styleOf(search.locator('kbd, span').last(), 'border-radius')).toBe(`${radiusOf('keycap')}px`)

    expect(await fontOf(page.locator('body'))).toBe(typeOf('base'))
    expect(await fontOf(title(page))).toBe(typeOf('title'))
    expect(await fontOf(head)).toBe('12px/16px 500')
    expect(await fontOf(strip)).toBe(typeOf('small'))
    expect(await styleOf(page.locator('body'), 'font-variant-numeric')).toBe('tabular-nums')

    expect(await styleOf(page.locator('body'), 'background-color')).toBe(colorOf('canvas', theme))
    expect(await styleOf(header, 'background-color')).toBe(colorOf('canvas', theme))
    expect(await styleOf(strip, 'background-color')).toBe(colorOf('canvas', theme))
    expect(await styleOf(page.getByRole('main'), 'background-color')).toBe(colorOf('surface', theme))
    expect(await styleOf(page.locator('body'), 'color')).toBe(colorOf('text', theme))
    expect(await styleOf(strip, 'color')).toBe(colorOf('muted', theme))
    expect(await styleOf(row, 'border-bottom-color')).toBe(colorOf('line', theme))
    expect(await styleOf(header, 'border-bottom-color')).toBe(colorOf('line-strong', theme))
    expect(await styleOf(filterBox(page), 'border-top-color')).toBe(colorOf('line', theme))

    await page.keyboard.press('j')
    await expect.poll(() => styleOf(row, 'background-color')).toBe(colorOf('hover', theme))
    expect(await styleOf(row, 'box-shadow')).toContain(`${colorOf('accent', theme)} 3px 0px 0px 0px inset`)
    await page.keyboard.press('x')
    await expect.poll(() => styleOf(row, 'background-color')).toBe(colorOf('selected', theme))
  })

  test(`palette, dialogs and panel have the sizes and colours of tokens.md, ${theme}`, async ({ signedIn: page }) => {
    await openList(page, '/dashboard/cron', theme)
    const create = page.getByRole('main').getByRole('button', { name: /^New task/ })
    expect(await heightOf(create)).toBe(sizeOf('Control height', 'button'))
    expect(await styleOf(create, 'background-color')).toBe(colorOf('accent-solid', theme))
    expect(await heightOf(page.getByRole('row').nth(1))).toBe(32)

    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    const query = palette.getByRole('combobox')
    await expect(query).toBeVisible()
    expect(await widthOf(palette)).toBe(sizeOf('Widths', 'palette'))
    expect(await heightOf(up(query, 1))).toBe(sizeOf('Bars', 'palette input'))
    expect(await heightOf(palette.getByRole('option').first())).toBe(sizeOf('Bars', 'palette row'))
    expect(await fontOf(query)).toBe(typeOf('query'))
    expect(await styleOf(palette, 'border-radius')).toBe(`${radiusOf('palette')}px`)
    expect(await styleOf(palette, 'background-color')).toBe(colorOf('overlay', theme))
    expect(await styleOf(palette.getByRole('option', { selected: true }), 'background-color')).toBe(
      colorOf('selected', theme),
    )
    expect(await textTrouble(palette)).toEqual([])
    await page.keyboard.press('Escape')

    await page.keyboard.press('c')
    const form = page.getByRole('dialog')
    await expect(form.getByRole('textbox', { name: 'Name' })).toBeVisible()
    expect(await widthOf(form)).toBe(880)
    expect(await heightOf(up(form.getByRole('textbox', { name: 'Name' }), 1))).toBe(sizeOf('Control height', 'input'))
    expect(await textTrouble(form)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()

    await page.keyboard.press('j')
    await page.keyboard.press('Delete')
    const confirm = page.getByRole('alertdialog')
    await expect(confirm).toBeVisible()
    expect(await widthOf(confirm)).toBe(sizeOf('Widths', 'dialog'))
    const go = confirm.getByRole('button', { name: 'Delete' })
    expect(await styleOf(go, 'background-color')).toBe(colorOf('bad-solid', theme))
    expect(await textTrouble(confirm)).toEqual([])
    await page.keyboard.press('Escape')

    await openList(page, '/dashboard', theme)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary')
    await expect(panel).toBeVisible()
    expect(await widthOf(panel)).toBe(sizeOf('Widths', 'side panel'))
    expect(await styleOf(panel, 'background-color')).toBe(colorOf('overlay', theme))
    expect(await textTrouble(panel)).toEqual([])
  })
}

test('the header has its parts in order, and none runs into the next', async ({ signedIn: page }) => {
  await openList(page, '/dashboard')
  const header = page.getByRole('banner')
  const parts = [
    header.getByRole('link').first(),
    header.getByRole('navigation'),
    header.getByRole('button', { name: 'Palette' }),
    header.getByText(/^\d\d:\d\d:\d\d/),
    header.getByRole('button', { name: /^Theme/ }),
    header.getByRole('button', { name: /^Account/ }),
  ]
  const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!))
  for (const [index, box] of boxes.slice(1).entries())
    expect(box.x, `part ${index + 1}`).toBeGreaterThanOrEqual(boxes[index]!.x + boxes[index]!.width)
  expect(await header.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
    'Server',
    'Service',
    'Task',
    'Notification',
    'DDNS',
    'NAT',
    'Group',
    'Hosts',
  ])
  await expect(header.getByText('Hello, admin')).toBeVisible()
  await expect(header.getByText('from 127.0.0.1', { exact: true })).toBeVisible()
})

test('the bars of a list stand in their order', async ({ signedIn: page }) => {
  await openList(page, '/dashboard')
  const order = [
    page.getByRole('banner'),
    up(title(page), 1),
    page.getByRole('search'),
    page.getByRole('columnheader').nth(1),
    page.getByRole('row').nth(1),
    page.getByRole('contentinfo'),
  ]
  const boxes = await Promise.all(order.map(async (part) => (await part.boundingBox())!))
  for (const [index, { y }] of boxes.slice(1).entries())
    expect(y, `bar ${index + 1}`).toBeGreaterThanOrEqual(boxes[index]!.y + boxes[index]!.height - 1)
})

const pages = [
  '',
  '/service',
  '/cron',
  '/notification',
  '/incident',
  '/server-group',
  '/run',
  '/settings',
  '/profile',
].map((path) => `/dashboard${path}`)

for (const path of [...pages, '/']) {
  test(`${path}: nothing is cut, overlaps or scrolls sideways at any width`, async ({ signedIn: page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      if (path === '/dashboard') await expect(page.getByText('1 of 1')).toBeVisible()
      if (path === '/dashboard/cron') await expect(page.getByText('nightly-backup').first()).toBeVisible()
      const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(sideways, `${width} px scrolls sideways`).toBeLessThanOrEqual(0)
      await expect.poll(() => textTrouble(page.locator('body')), `${width} px`).toEqual([])
    }
  })
}

test('the sign-in card has its width and heights', async ({ page }) => {
  await page.goto('/dashboard/login')
  const name = page.getByRole('textbox', { name: 'Username' })
  await expect(name).toBeVisible()
  expect(await widthOf(up(name, 1))).toBe(sizeOf('Widths', 'login'))
  expect(await heightOf(up(name, 1))).toBe(sizeOf('Control height', 'login'))
  expect(
    await heightOf(page.getByRole('button', { name: 'Sign in' }).or(page.getByRole('button', { name: 'Login' }))),
  ).toBe(36)
  expect(await textTrouble(page.locator('body'))).toEqual([])
})
