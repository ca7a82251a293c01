import { createBrowser } from '../support/browser.ts'
import { callApi, changeSettings } from './api.ts'
import { admin, expect, test } from './console.ts'

/** Gives the first server a name; returns the one it had. */
async function rename(url: string, name: string): Promise<string> {
  const browser = createBrowser(url)
  await browser.login(admin.username, admin.password)
  const listed = async () => (await browser.api('GET', 'server')) as readonly Record<string, unknown>[] | null
  await expect.poll(async () => (await listed())?.length).toBe(1)
  const { id, name: before, note = '', public_note = '' } = (await listed())![0]!
  await browser.api('PATCH', `server/${id}`, {
    name,
    display_index: 0,
    note,
    public_note,
    hide_for_guest: false,
    enable_ddns: false,
    ddns_profiles: [],
    override_ddns_domains: {},
  })
  return String(before)
}

const longName = 'ber-production-kubernetes-worker-node-07.internal'

let before = ''
test.beforeAll(async ({ product }) => {
  before = await rename(product.url, longName)
})
// Other files look at the same product.
test.afterAll(({ product }) => rename(product.url, before))

test('issue 12, looks: a long name is whole where there is room, the copy icon comes with the pointer', async ({
  signedIn: page,
}) => {
  const name = page.getByRole('rowheader').getByText(longName)
  for (const width of [1280, 890]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(name).toBeVisible()
    expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth), `${width}`).toBeLessThanOrEqual(
      0,
    )
  }
  await page.setViewportSize({ width: 1600, height: 800 })
  const copy = page.getByRole('row').nth(1).getByRole('button', { name: /Copy/ })
  await page.mouse.move(800, 700)
  await expect(copy).toHaveCSS('opacity', '0')
  await name.hover()
  await expect(copy).toHaveCSS('opacity', '1')
})

test('issue 12, looks: at 890 px brand and tabs are whole and the strip cuts no hint', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 890, height: 800 })
  const brand = page.getByRole('banner').getByText('Quarterdeck')
  await expect.poll(() => brand.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('g')
  const strip = page.getByRole('contentinfo')
  const cutCaps = () =>
    strip.evaluate((element) => {
      const caps = [...element.querySelectorAll('kbd')].map((cap) => cap.getBoundingClientRect())
      const { top } = element.getBoundingClientRect()
      return { all: caps.length, cut: caps.filter((cap) => cap.bottom > innerHeight || cap.top < top).length }
    })
  await expect.poll(async () => (await cutCaps()).all).toBeGreaterThan(10)
  expect((await cutCaps()).cut).toBe(0)
})

test('issue 12, looks: the title says the page and the site', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  // With open incidents their number comes first.
  await expect(page).toHaveTitle(/^(\(\d+\) )?Tasks · Quarterdeck$/)
  await changeSettings(page, { site_name: 'Harbour' })
  await page.goto('/dashboard/settings')
  await expect(page).toHaveTitle(/^(\(\d+\) )?Settings · Harbour$/)
  await changeSettings(page, { site_name: 'Quarterdeck' })
})

test('issue 12, looks: keys have the names that the keyboards of the language have', async ({ signedIn: page }) => {
  await page.evaluate(() => localStorage.setItem('language', 'de-DE'))
  await page.reload()
  await expect(page.getByRole('banner').getByText('Strg+K')).toBeVisible()
  await page.getByRole('row').nth(1).click({ button: 'right' })
  await expect(page.getByRole('menu').getByText('Entf')).toBeVisible()
})

test('issue 12, looks: the row of the open panel is marked, also after a reload', async ({ signedIn: page }) => {
  const [{ id }] = (await callApi(page, 'GET', 'server')) as [{ id: number }]
  await page.goto(`/dashboard?open=${id}`)
  await expect(page.getByRole('complementary')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('complementary')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toHaveCSS('box-shadow', /inset/)
})

test('issue 12, beyond: a notifier begins with what its receiver wants, and keeps what was typed', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/notification')
  await expect(page.getByRole('main').getByRole('button', { name: /^New/ }).first()).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog')
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('on call')
  await form.getByRole('button', { name: 'Telegram' }).click()
  await expect(form.getByLabel('URL')).toHaveValue('https://api.telegram.org/bot<token>/sendMessage')
  await expect(form.getByLabel('Body', { exact: true })).toHaveValue(/"text": "#NEZHA#"/)
  await form.getByRole('button', { name: 'Slack' }).click()
  await expect(form.getByLabel('URL')).toHaveValue('https://hooks.slack.com/services/<token>')
  await form.getByLabel('URL').fill('https://chat.example/hook')
  await form.getByRole('button', { name: 'Discord' }).click()
  await expect(form.getByLabel('URL')).toHaveValue('https://chat.example/hook')
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('on call')
  await form.getByLabel('URL').fill('')
  await page.keyboard.press('Escape')
})

test('issue 12, friction: scopes are said in words, can be narrowed, and a preset gives those of a purpose', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/settings/api-tokens')
  await expect(page.getByRole('main').getByRole('button', { name: /^New/ }).first()).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Run tasks from CI' }).click()
  await expect(form.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await form.getByRole('textbox', { name: 'Search this list' }).fill('tasks: run')
  await expect(form.getByRole('checkbox')).toHaveCount(1)
  await expect(form.getByRole('checkbox', { name: 'Tasks: run nezha:cron:exec' })).toBeChecked()
})

test('issue 12, friction: an empty page hints at no key for rows', async ({ signedIn: page }) => {
  const left = ((await callApi(page, 'GET', 'maintenance-window')) ?? []) as { id: number }[]
  await callApi(
    page,
    'POST',
    'batch-delete/maintenance-window',
    left.map(({ id }) => id),
  )
  await page.goto('/dashboard/maintenance-window')
  const strip = page.getByRole('contentinfo')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(strip.getByText('Shortcuts')).toBeVisible()
  for (const name of ['Next', 'Select', 'Duplicate', 'Filter']) await expect(strip.getByText(name)).toHaveCount(0)
})

test('issue 12, looks: a list of choices is as wide as its box and never over Save', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 640 })
  // A list without choices does not open.
  await callApi(page, 'POST', 'notification-group', { name: 'night' })
  await expect.poll(async () => (await callApi(page, 'GET', 'server')) ?? []).not.toEqual([])
  const form = page.getByRole('dialog')
  for (const name of [0, 1, 2]) {
    await page.goto('/dashboard/cron')
    await expect(page.getByRole('main').getByRole('button', { name: /^New/ }).first()).toBeVisible()
    await page.keyboard.press('c')
    await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.type('told')
    const save = (await form.getByRole('button', { name: /^Save/ }).boundingBox())!
    const opener = form.locator('button[aria-haspopup="listbox"]').nth(name)
    const box = opener.locator('..')
    // A list that just opened closes when its form scrolls: here the test scrolls first, as a person does.
    await opener.scrollIntoViewIfNeeded()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await opener.click()
    const list = page.locator('[data-trigger]').filter({ has: page.getByRole('listbox') })
    await expect(list).toBeVisible()
    const at = (await box.boundingBox())!
    const shown = (await list.boundingBox())!
    expect(Math.abs(shown.x - at.x), `${name}`).toBeLessThanOrEqual(1)
    expect(shown.width, `${name}`).toBeGreaterThanOrEqual(at.width - 1)
    expect(shown.y + shown.height <= save.y || shown.y >= save.y + save.height, `${name} over Save`).toBe(true)
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
  }
})

test('problems first is the order of servers, and the way back to it from another', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page).toHaveURL(/dashboard\/?$/)
  await page.keyboard.press('s')
  await expect(page.getByRole('menuitem').first()).toHaveText('Problems first')
  await page.getByRole('menuitem', { name: 'Name' }).click()
  await expect(page).toHaveURL(/sort=name-asc/)
  await page.keyboard.press('s')
  await page.getByRole('menuitem').first().click()
  await expect(page).toHaveURL(/dashboard\/?$/)
})

test('the strip has four hints at most, and the way to all shortcuts', async ({ signedIn: page }) => {
  const strip = page.getByRole('contentinfo')
  for (const path of ['', '/service', '/notification']) {
    await page.goto(`/dashboard${path}`)
    await expect(strip.getByText('Shortcuts')).toBeVisible()
    expect(await strip.locator('kbd').count(), path).toBeLessThanOrEqual(5)
  }
})
