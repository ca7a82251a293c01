import { createBrowser } from '../support/browser.ts'
import { callApi, changeSettings } from './api.ts'
import { admin, expect, test } from './console.ts'

const longName = 'ber-production-kubernetes-worker-node-07.internal'

test.beforeAll(async ({ product }) => {
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  const listed = async () => (await browser.api('GET', 'server')) as readonly Record<string, unknown>[] | null
  await expect.poll(async () => (await listed())?.length).toBe(1)
  const { id, note = '', public_note = '' } = (await listed())![0]!
  await browser.api('PATCH', `server/${id}`, {
    name: longName,
    display_index: 0,
    note,
    public_note,
    hide_for_guest: false,
    enable_ddns: false,
    ddns_profiles: [],
    override_ddns_domains: {},
  })
})

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
  expect(await brand.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await page.keyboard.press('g')
  const strip = page.getByRole('contentinfo')
  const cutCaps = () =>
    strip.evaluate((element) => {
      const caps = [...element.querySelectorAll('kbd')].map((cap) => cap.getBoundingClientRect())
      const { top } = element.getBoundingClientRect()
      return { all: caps.length, cut: caps.filter((cap) => cap.bottom > innerHeight || cap.top < top).length }
    })
  const { all, cut } = await cutCaps()
  expect(all).toBeGreaterThan(10)
  expect(cut).toBe(0)
})

test('issue 12, looks: the title says the page and the site', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  await expect(page).toHaveTitle('Tasks · Quarterdeck')
  await changeSettings(page, { site_name: 'Harbour' })
  await page.goto('/dashboard/settings')
  await expect(page).toHaveTitle('Settings · Harbour')
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
