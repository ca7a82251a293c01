import { startReceiver } from '../support/peers/receiver.ts'
import { expect, test } from './console.ts'
import { addService, removeServices, signIn } from './seed.ts'

test('an incident is in the frame, tells whom it told, is acknowledged and silenced by keys', async ({
  signedIn: page,
  product,
}) => {
  const receiver = await startReceiver()
  try {
    const browser = await signIn(product)
    await removeServices(browser)
    const group = await receiver.addGroup(browser)
    await addService(browser, {
      name: 'dead port',
      type: 3,
      target: '127.0.0.1:1',
      notify: true,
      notification_group_id: group,
    })
    // Other tests may have left some open.
    const badge = page.getByRole('link', { name: /^\d+ open incidents?$/ })
    await expect(badge).toBeVisible({ timeout: 45_000 })
    await badge.click()
    await expect(page).toHaveURL(/\/dashboard\/incident/)
    const row = page.getByRole('row', { name: /dead port/ })
    await expect(row).toBeVisible({ timeout: 45_000 })
    const shown = async () => ((await badge.isVisible()) ? Number(await badge.textContent()) : 0)
    const before = await shown()
    await expect(page).toHaveTitle(new RegExp(`^\\(${before}\\) `))
    await row.click()
    const panel = page.getByRole('complementary', { name: 'dead port' })
    await expect(panel.getByText('hook')).toBeVisible()
    await expect(panel.getByText('sent', { exact: true })).toBeVisible()
    await expect(panel.getByRole('link', { name: 'Service dead port' })).toBeVisible()

    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: /Silence/ })
    await dialog.getByRole('button', { name: '4 h' }).click()
    await expect(dialog.getByRole('textbox', { name: 'For' })).toHaveValue('4h')
    await page.keyboard.press('Control+Enter')
    await expect(panel.getByText('silenced').first()).toBeVisible()
    await expect.poll(shown).toBe(before - 1)
    await page.keyboard.press('a')
    await expect(panel.getByText('acknowledged').first()).toBeVisible()
    // Issue 12, beyond: all that happened in its time, in order, and notes.
    await page.keyboard.press('n')
    const note = page.getByRole('dialog', { name: /Add note/ })
    await note.getByRole('textbox', { name: 'Note' }).fill('looks like the cable\nTom goes there')
    await page.keyboard.press('Control+Enter')
    const happened = panel
      .locator('section', { has: page.getByRole('heading', { name: 'Timeline' }) })
      .getByRole('listitem')
    await expect(happened).toHaveText([
      /Incident opened/,
      /hook.*sent/,
      /admin silenced it until/,
      /admin acknowledged it/,
      /admin: looks like the cable\s+Tom goes there/,
    ])
  } finally {
    await receiver.close()
  }
})

test('a maintenance window is typed as one says it', async ({ signedIn: page }) => {
  await page.goto('/dashboard/maintenance-window')
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Name' }).fill('kernel update')
  await form.getByRole('textbox', { name: 'From' }).fill('now')
  await form.getByRole('textbox', { name: 'Until' }).fill('+2h')
  await expect(form.getByText(/\d\d:\d\d:\d\d UTC\+5:30/)).toHaveCount(2)
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(page.getByRole('row', { name: /kernel update/ }).getByText('active')).toBeVisible()
})
