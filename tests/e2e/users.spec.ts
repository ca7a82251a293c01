import { expect, test } from './console.ts'

test('issue 14, P-20: a user is made, signs in, becomes an admin and is deleted with the name typed', async ({
  signedIn: page,
  product,
  browser,
}) => {
  const dialog = page.getByRole('dialog')
  await page.goto('/dashboard/settings/user')
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.keyboard.press('c')
  await dialog.getByLabel('Username').fill('robin')
  await dialog.getByLabel('Password', { exact: true }).fill('short')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByText('Must be at least 8 characters')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill('a good long password')
  await page.keyboard.press('ControlOrMeta+Enter')
  const row = page.getByRole('row', { name: /robin/ })
  await expect(row).toContainText('user')

  const own = await browser.newPage()
  await own.goto(`${product.url}/dashboard`)
  await own.getByRole('textbox', { name: 'Username' }).fill('robin')
  await own.getByRole('textbox', { name: 'Password' }).fill('a good long password')
  await own.keyboard.press('Enter')
  await expect(own.getByRole('button', { name: /^Account: robin/ })).toBeVisible()
  await own.goto(`${product.url}/dashboard/settings`)
  await expect(own).toHaveURL(/\/dashboard\/settings\/online-user/)
  await expect(own.getByRole('link', { name: 'User', exact: true })).toHaveCount(0)

  await row.click()
  await expect(dialog.getByLabel('Username')).toHaveValue('robin')
  await dialog.getByText('Admin', { exact: true }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(row).toContainText('admin')
  await own.reload()
  await expect(own.getByRole('button', { name: /^Account: robin/ })).toHaveCount(0)
  await own.close()

  await row.focus()
  await page.keyboard.press('Delete')
  const confirm = page.getByRole('alertdialog')
  await expect(confirm.getByRole('button', { name: /^Delete/ })).toBeDisabled()
  await confirm.getByRole('textbox').fill('robin')
  await confirm.getByRole('button', { name: /^Delete/ }).click()
  await expect(row).toHaveCount(0)
})
