import { maintenanceWindow } from '@qd/core/resources'
import { callApi } from './api.ts'
import { expect, test } from './console.ts'

test('issue 36.37 a wrong schedule is said once, in red', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  await page.getByRole('button', { name: 'New task' }).first().click()
  await page.getByRole('textbox', { name: 'Schedule' }).fill('0 0 x * * *')
  const said = page.getByText('Not a number: “x”')
  await expect(said).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Schedule' })).toHaveAttribute('aria-invalid', 'true')
  await expect(said).toHaveCount(1)
})

test('issue 36.37 the switch of the probe stays clear of its neighbors', async ({ signedIn: page }) => {
  await page.goto('/dashboard/service')
  await page.getByRole('button', { name: 'New service' }).first().click()
  const probe = (await page.getByRole('radiogroup', { name: 'Probe' }).boundingBox())!
  for (const name of ['Every', 'Target']) {
    const other = (await page.getByRole('textbox', { name }).boundingBox())!
    const isBeside = other.x >= probe.x + probe.width || other.y >= probe.y + probe.height
    expect([name, isBeside]).toEqual([name, true])
  }
})

test('issue 36.37 the list of sections follows the page of the settings', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings')
  const present = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="true"]')
  await expect(present).toHaveText('This browser')
  await page.getByRole('textbox', { name: 'Dashboard custom code' }).focus()
  await expect(present).not.toHaveText('This browser')
  const follows = await present.innerText()
  await page.getByRole('button', { name: 'This browser' }).click()
  await expect(present).toHaveText('This browser')
  await page.mouse.move(800, 500)
  await page.mouse.wheel(0, 20_000)
  await expect(present).not.toHaveText('This browser')
  expect(follows).not.toBe('')
})

test('issue 36.37 the way to all shortcuts is in the strip whatever else is', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  const hint = page.getByRole('contentinfo').getByText('Shortcuts')
  await expect(hint).toBeVisible()
  const strip = (await page.getByRole('contentinfo').boundingBox())!
  const box = (await hint.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(strip.y + strip.height)
})

test('issue 36.37 no count of a list is cut beside a panel: where they don’t fit they are one button', async ({
  signedIn: page,
}) => {
  const [{ id }] = (await callApi(page, 'GET', 'server')) as [{ id: number }]
  const times = {
    starts_at: new Date(Date.now() - 1000).toISOString(),
    ends_at: new Date(Date.now() + 3.6e6).toISOString(),
  }
  const body = { ...maintenanceWindow.initial, ...times, name: 'disks', servers: [id] }
  const windowId = await callApi(page, 'POST', 'maintenance-window', body)
  await page.evaluate(() => localStorage.setItem('language', 'ta-IN'))
  await page.setViewportSize({ width: 1190, height: 800 })
  await page.goto(`/dashboard/?open=${id}`)
  await expect(page.getByRole('complementary')).toBeVisible()
  const counts = page.locator('fieldset')
  await expect(counts).toHaveCount(0)
  await page.setViewportSize({ width: 1800, height: 800 })
  await expect(counts.getByRole('button', { name: '1 பராமரிப்பில்' })).toBeVisible()
  expect(await counts.evaluate((row) => row.scrollWidth - row.clientWidth)).toBeLessThanOrEqual(0)
  await callApi(page, 'POST', 'batch-delete/maintenance-window', [windowId])
})

test('issue 36.37 a list in pages counts the rows of its page', async ({ signedIn: page, browser, product }) => {
  const context = await browser.newContext({ baseURL: product.url })
  const visitor = await context.newPage()
  await visitor.goto('/')
  await expect(visitor.getByText('live', { exact: true })).toBeVisible()
  await page.goto('/dashboard/settings/online-user?pageSize=1')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('status').filter({ hasText: /^1 of \d+$/ })).toBeVisible()
  await context.close()
})
