import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'
import { looks } from './layout.ts'
import { addService, signIn } from './seed.ts'

const pages = [
  '/dashboard',
  '/dashboard/cron',
  '/dashboard/service',
  '/dashboard/notification',
  '/dashboard/alert-rule',
  '/dashboard/incident',
  '/dashboard/maintenance-window',
  '/dashboard/notification-group',
  '/dashboard/server-group',
  '/dashboard/run',
  '/dashboard/settings',
  '/dashboard/settings/online-user',
  '/dashboard/profile',
  '/',
] as const

/** What opens over the lists of monitoring, with something in them. */
async function scanMonitoring(page: Page): Promise<void> {
  await page.goto('/dashboard/service?open=1')
  await expect(page.getByRole('complementary').getByText('30 days')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await violations(page), 'service panel').toEqual([])
  await page.goto('/dashboard?open=1')
  const range = (name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true })
  await expect(async () => {
    await range('1 d')
    await range('1 h')
    await expect(page.getByRole('slider', { name: /^CPU/ })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  expect(await violations(page), 'history').toEqual([])
  for (const path of ['/dashboard/notification', '/dashboard/service', '/dashboard/maintenance-window']) {
    await page.goto(path)
    await page.getByRole('button', { name: /^New / }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), `form of ${path}`).toEqual([])
  }
}

test.setTimeout(240_000)

for (const { theme, width } of looks) {
  test(`axe finds nothing, ${theme}, ${width} px`, async ({ signedIn: page, product }) => {
    await addService(await signIn(product), { name: 'closed port', type: 3, target: '127.0.0.1:1', notify: true })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 800 })
    for (const path of pages) {
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
      expect(await violations(page), path).toEqual([])
    }
    await scanMonitoring(page)
    await page.goto('/dashboard/cron')
    await expect(page.getByRole('main')).toBeVisible()
    await page.keyboard.press('c')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'form').toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
    expect(await violations(page), 'palette').toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), 'keys').toEqual([])
  })
}

test('axe finds nothing on the sign-in page', async ({ page }) => {
  await page.goto('/dashboard/login')
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})
