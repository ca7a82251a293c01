import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './console.ts'

const themes = ['light', 'dark'] as const
const widths = [1280, 400] as const
const pages = [
  '/dashboard',
  '/dashboard/cron',
  '/dashboard/server-group',
  '/dashboard/run',
  '/dashboard/settings',
  '/dashboard/profile',
  '/',
] as const

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze()
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

test.setTimeout(240_000)

for (const theme of themes) {
  for (const width of widths) {
    test(`axe finds nothing, ${theme}, ${width} px`, async ({ signedIn: page }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      for (const path of pages) {
        await page.goto(path)
        await expect(page.getByRole('main')).toBeVisible()
        await page.waitForLoadState('networkidle')
        expect(await violations(page), path).toEqual([])
      }
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
}

test('axe finds nothing on the sign-in page', async ({ page }) => {
  await page.goto('/dashboard/login')
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})
