import { violations } from './axe.ts'
import { admin, expect, test } from './console.ts'
import { textTrouble } from './layout.ts'

test('an API token by keyboard: its scopes checked, the password asked once more, its text shown once; deleted', async ({
  signedIn: page,
}) => {
  let isProved = false
  await page.route('**/api/v1/api-tokens', (route) =>
    route.request().method() === 'GET' || isProved
      ? route.continue()
      : route.fulfill({ status: 403, json: { error: 'ApiErrorForbidden: step-up required', code: 'stepUpRequired' } }),
  )
  await page.route('**/api/v1/step-up', (route) => {
    isProved = route.request().postDataJSON().password === admin.password
    return route.continue()
  })

  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: 'No API tokens yet' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New API token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('ci')
  expect(await textTrouble(form)).toEqual([])
  const scopes = form.getByRole('group', { name: 'Scopes' })
  await scopes.getByRole('checkbox', { name: 'nezha:inventory:read' }).check()
  await scopes.getByRole('checkbox', { name: 'nezha:cron:*' }).check()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')

  const proof = page.getByRole('dialog', { name: 'Confirm your password' })
  await expect(proof.getByLabel('Password')).toBeFocused()
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('Wrong password')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await proof.getByLabel('Password').fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(proof).toBeHidden()

  const secret = page.getByRole('alertdialog').filter({ hasText: 'You won’t be able to see it again.' })
  await expect(secret).toContainText(/nzp_[0-9A-Za-z]{32}/)
  await secret.getByRole('button', { name: /saved/ }).click()
  await expect(secret).toBeHidden()
  const row = page.getByRole('row', { name: /ci/ })
  await expect(row).toContainText('nezha:inventory:read')
  expect(await page.content()).not.toContain('nzp_')
  expect(await violations(page)).toEqual([])

  await page.keyboard.press('j')
  await page.keyboard.press('Delete')
  const ask = page.getByRole('alertdialog', { name: 'Confirm Deletion?' })
  await expect(ask).toContainText('ci')
  await ask.getByRole('button', { name: /Delete/ }).click()
  await expect(row).toBeHidden()
})

test('who does not give the password has done nothing, and the form stands as it was', async ({ signedIn: page }) => {
  await page.route('**/api/v1/api-tokens', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill({ status: 403, json: { error: 'ApiErrorForbidden: step-up required', code: 'stepUpRequired' } }),
  )
  await page.goto('/dashboard/settings/api-tokens')
  await page.getByRole('heading').first().waitFor()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New API token' })
  await form.getByRole('textbox', { name: 'Name' }).fill('ci')
  await form.getByRole('checkbox', { name: 'nezha:cron:read' }).check()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Confirm your password' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Confirm your password' })).toBeHidden()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('ci')
  await expect(form.getByRole('checkbox', { name: 'nezha:cron:read' })).toBeChecked()
})
