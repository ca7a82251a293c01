import { expect, test } from './console.ts'

test('P-34: the sheet shows the keys of the page, narrows, and explains Escape', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: /Keys/ })
  for (const text of ['This list', 'Go to', 'Everywhere', 'Run now', 'Command line', 'clear the filter'])
    await expect(sheet.getByText(text, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('mark all')
  await expect(sheet.getByRole('term')).toHaveText(['Mark all filtered'])
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('P-35: single keys rest while a person types, and can be switched off', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('?c')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByText('Single keys', { exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: /Keys/ })).toBeHidden()
  await page.evaluate(() => localStorage.removeItem('keys'))
})

test('P-02: the palette’s key is changed in the settings, hints follow, and the second key still works', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/settings')
  const key = page.getByRole('button', { name: /^Key of the palette/ })
  await key.click()
  await page.keyboard.press('j')
  await expect(page.getByText('Hold Ctrl, Alt or Meta with it')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Already does: Save')).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(key).toHaveAccessibleName('Key of the palette: Ctrl+J')
  await expect(page.getByRole('banner').getByText('Ctrl+J')).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Palette' })
  for (const chord of ['Control+j', 'Control+Shift+k']) {
    await page.keyboard.press(chord)
    await expect(palette).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
  }
  await page.reload()
  await expect(page.getByRole('banner').getByText('Ctrl+J')).toBeVisible()
  await page.getByRole('button', { name: 'Use the usual key' }).click()
  await expect(page.getByRole('banner').getByText('Ctrl+K')).toBeVisible()
})
