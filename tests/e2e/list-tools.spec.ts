import { expect, test } from './console.ts'

test('issue 12, beyond: columns are chosen by key and palette, and stay after a reload and a new sign-in', async ({
  signedIn: page,
}) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const heads = () => page.getByRole('columnheader').allInnerTexts()
  await page.keyboard.press('Shift+C')
  const menu = page.getByRole('menu', { name: 'Choose columns' })
  await menu.getByRole('menuitem', { name: 'Group' }).click()
  await menu.getByRole('menuitem', { name: 'UUID' }).click()
  await expect.poll(heads).toContain('UUID')
  await expect.poll(heads).not.toContain('Group')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect.poll(heads).toContain('UUID')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('choose columns')
  await expect(page.getByRole('option', { selected: true })).toContainText('Choose columns')
  await page.keyboard.press('Enter')
  await menu.getByRole('menuitem', { name: 'Default columns' }).click()
  await expect.poll(heads).toContain('Group')
  await expect.poll(heads).not.toContain('UUID')
})

test('issue 12, beyond: a filter is saved, taken again by key, and forgotten', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('online')
  await page.getByRole('button', { name: 'Save filter' }).click()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.reload()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Shift+F')
  await page.getByRole('menuitem', { name: 'online' }).click()
  await expect(page.getByRole('search').getByRole('combobox')).toHaveValue('online')
  await page.keyboard.press('Shift+F')
  await page.getByRole('menuitem', { name: 'Delete filter' }).click()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.keyboard.press('Shift+F')
  await expect(page.getByRole('menuitem')).toHaveCount(1)
})

test('issue 12, beyond: settings have their sections at the side, and a search that goes to the field', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/settings')
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeInViewport()
  await page.getByRole('heading', { name: 'History' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('avatar')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Avatar service' })).toBeFocused()
})
