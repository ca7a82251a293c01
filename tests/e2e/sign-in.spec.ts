import { admin, expect, test } from './console.ts'

test('a wrong password is said in one sentence, the name stays and the password is chosen to be typed again', async ({
  page,
}) => {
  await page.goto('/dashboard/login')
  const name = page.getByRole('textbox', { name: 'Username' })
  const password = page.getByRole('textbox', { name: 'Password' })
  await name.fill(admin.username)
  await page.keyboard.press('Enter')
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription('Password cannot be empty.')
  await password.fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Wrong user name or password')).toBeVisible()
  await expect(name).toHaveValue(admin.username)
  await expect(password).toBeFocused()
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/?$/)
})
