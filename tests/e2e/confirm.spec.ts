import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './console.ts'

test('P-20, P-21: deleting names what goes, Cancel has the focus, the palette stays away, Mod+Enter goes on', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/server-group')
  await expect(page.getByRole('heading', { name: 'Server groups' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New server group' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('doomed')
  await page.keyboard.press('Control+Enter')
  const row = page.getByRole('row', { name: /doomed/ })
  await row.focus()
  await page.keyboard.press('Delete')
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Deletion?' })
  await expect(confirm.getByText('This operation cannot be undone!')).toBeVisible()
  await expect(confirm.getByText('doomed')).toBeVisible()
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(confirm).toBeHidden()
  await expect(row).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(confirm).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(row).toBeHidden()
})
