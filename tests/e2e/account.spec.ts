import type { Locator, Page } from '@playwright/test'
import { callApi } from './api.ts'
import { admin, askForAll, expect, test } from './console.ts'

test.describe.configure({ mode: 'serial' })

test('issue 10.1: name and password are changed on the profile page, by button and by key', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByRole('textbox', { name: 'Username' })).toHaveValue('admin')
  await form.getByRole('button', { name: /^Cancel/ }).click()
  await expect(form).toBeHidden()

  await page.keyboard.press('e')
  await form.getByRole('textbox', { name: 'Username' }).fill('chief')
  await form.getByRole('textbox', { name: 'Current password' }).fill('not the password')
  await form.getByRole('textbox', { name: 'New password' }).fill('another long password')
  await page.keyboard.press('Control+Enter')
  const current = form.getByRole('textbox', { name: 'Current password' })
  await expect(current).toBeFocused()
  await expect(current).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByRole('textbox', { name: 'New password' })).toHaveValue('another long password')

  await current.fill(admin.password)
  await page.keyboard.press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(page.getByRole('button', { name: /^Account: chief/ })).toBeVisible()
  expect(await callApi(page, 'GET', 'profile')).toMatchObject({ username: 'chief' })

  await page
    .getByRole('main')
    .getByRole('button', { name: /Sign out|Logout/ })
    .click()
  await page.getByRole('textbox', { name: 'Username' }).fill('chief')
  await page.getByRole('textbox', { name: 'Password' }).fill('another long password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Account: chief/ })).toBeVisible()
  await callApi(page, 'POST', 'profile', {
    new_username: admin.username,
    original_password: 'another long password',
    new_password: admin.password,
    reject_password: false,
  })
})

test('the profile page counts servers and their groups, and leads to them', async ({ signedIn: page }) => {
  await page.goto('/dashboard/profile')
  const main = page.getByRole('main')
  await expect(main.getByText('Server groups')).toBeVisible()
  await main.getByRole('definition').filter({ hasText: /^1$/ }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/dashboard\/?$/)
})

test('issue 10.4: a failed profile call shows the Oops page in place of the profile', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.route('**/api/v1/profile', (route) => route.fulfill({ status: 500, json: { error: 'database error' } }))
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  const oops = page.getByRole('main').filter({ has: page.getByRole('heading', { name: 'Oops!' }) })
  await expect(oops.getByText('Sorry, an unexpected error has occurred.')).toBeVisible()
  await expect(oops.getByText('database error')).toBeVisible()
  await expect(oops.getByRole('button', { name: 'Back to Dashboard' })).toBeVisible()
  await page.unroute('**/api/v1/profile')
  await oops.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
})

test('issue 10.4: a failed profile call of somebody who was never here shows the Oops page, not a blank one', async ({
  page,
}) => {
  await page.route('**/api/v1/profile', (route) => route.fulfill({ status: 500, json: { error: 'database error' } }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
  await page.unroute('**/api/v1/profile')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('issue 10.4: failed settings show the Oops page; a failure later takes nothing typed away', async ({
  signedIn: page,
}) => {
  await askForAll(page)
  await page.route('**/api/v1/setting', (route) => route.fulfill({ status: 500, json: { error: 'database error' } }))
  await page.goto('/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible()
  await expect(page.getByText('database error').first()).toBeVisible()
  await page.unroute('**/api/v1/setting')
  const again = page.getByRole('button', { name: 'Retry' })
  const name = page.getByRole('textbox', { name: 'Site name' })
  // The first frame of the live feed asks once more, too.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 2000 })
    await expect(name).toBeVisible({ timeout: 2000 })
  }).toPass()
  await name.fill('typed')
  await page.route('**/api/v1/setting', (route) => route.fulfill({ status: 500, json: { error: 'database error' } }))
  const failed = page.waitForResponse((answer) => answer.url().endsWith('/setting') && answer.status() === 500)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await failed
  await expect(name).toHaveValue('typed')
})

/** Presses until the failure is gone; the page may have asked again before one presses. */
async function tryAgain(page: Page, failure: Locator) {
  const tryNow = page.getByRole('main').getByRole('button', { name: /^Retry now/ })
  await expect(async () => {
    if (await tryNow.isVisible()) await tryNow.click({ timeout: 2000 })
    await expect(failure).toBeHidden({ timeout: 2000 })
  }).toPass()
}

test('issue 10.4: a failed list is said in its place, with the way to try again', async ({ signedIn: page }) => {
  await page.goto('/dashboard/settings')
  await page.evaluate(() => localStorage.removeItem('main'))
  await askForAll(page)
  await page.route('**/api/v1/cron', (route) => route.fulfill({ status: 500, json: { error: 'database error' } }))
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Error Fetching Resource')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.unroute('**/api/v1/cron')
  await tryAgain(page, page.getByRole('main').getByRole('alert'))

  // What was known stays, and the failure is said above it.
  await callApi(page, 'POST', 'server-group', { name: 'known', servers: [] })
  await page.goto('/dashboard/server-group')
  await expect(page.getByRole('row', { name: /known/ })).toBeVisible()
  await page.route('**/api/v1/server-group', (route) => route.fulfill({ json: { error: 'database error' } }))
  await page.keyboard.press('Shift+R')
  await expect(page.getByText('Error Fetching Resource : database error')).toBeVisible()
  await expect(page.getByRole('row', { name: /known/ })).toBeVisible()
  await page.unroute('**/api/v1/server-group')
  await tryAgain(page, page.getByText('Error Fetching Resource : database error'))
})
