import { admin, expect, test } from './console.ts'

test('issue 12.7: signing in leads to the page that was asked for, and after a sign-out to the first one', async ({
  page,
}) => {
  const signIn = async () => {
    await page.getByRole('textbox', { name: 'Username' }).fill(admin.username)
    await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
    await page.keyboard.press('Enter')
  }
  await page.goto('/dashboard/cron?q=nightly')
  await expect(page).toHaveURL(/\/dashboard\/login$/)
  await signIn()
  await expect(page).toHaveURL(/\/dashboard\/cron\?q=nightly$/)
  await page.getByRole('button', { name: /^Account: admin/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/dashboard\/login$/)
  await signIn()
  await expect(page).toHaveURL(/\/dashboard\/?$/)
})

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
  await expect(page.getByText('Wrong username or password')).toBeVisible()
  await expect(name).toHaveValue(admin.username)
  await expect(password).toBeFocused()
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/?$/)
})
