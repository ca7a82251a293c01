import { TOTP } from 'otpauth'
import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'

const kim = { username: 'totp-kim', password: 'a good long password' }

test('issue 14: a second factor is turned on by its QR code, asked at the sign-in, and a recovery code helps out', async ({
  signedIn,
  browser,
  product,
}) => {
  const id = await callApi(signedIn, 'POST', 'user', { ...kim, role: 1 })
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  const signIn = async () => {
    await page.goto('/dashboard/login')
    await page.getByRole('textbox', { name: 'Username' }).fill(kim.username)
    await page.getByRole('textbox', { name: 'Password' }).fill(kim.password)
    await page.keyboard.press('Enter')
  }
  await signIn()
  await expect(page.getByRole('button', { name: /^Account: totp-kim/ })).toBeVisible()
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Turn on 2FA' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'Turn on 2FA' })).toBeVisible()
  const key = (await dialog.getByText(/^([A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '')
  const codeAt = (ms: number) => new TOTP({ secret: key }).generate({ timestamp: ms })
  expect(await violations(page, '[role=dialog]')).toEqual([])
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeAt(Date.now()))
  await page.keyboard.press('ControlOrMeta+Enter')
  const shown = page.getByRole('alertdialog')
  await expect(shown).toContainText('You won’t be able to see it again')
  const [recovery] = /[a-z2-9]{5}-[a-z2-9]{5}/.exec(await shown.innerText())!
  await shown.getByRole('button', { name: /^I’ve saved it/ }).click()
  await expect(page.getByRole('button', { name: 'New recovery codes' })).toBeEnabled()

  await page.context().clearCookies()
  await signIn()
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(code).toBeFocused()
  expect(await violations(page)).toEqual([])
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Wrong code')).toBeVisible()
  await expect(code).toBeFocused()
  await code.fill(codeAt(Date.now() + 30_000))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Account: totp-kim/ })).toBeVisible()

  await page.context().clearCookies()
  await signIn()
  await code.fill(recovery)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Recovery code used. Codes left: 9')).toBeVisible()
  await context.close()
  await callApi(signedIn, 'POST', 'batch-delete/user', [id])
})
