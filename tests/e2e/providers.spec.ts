import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'

const kim = { username: 'sso-kim', password: 'a good long password' }

/** A real OpenID provider whose sign-in page takes any name. */
async function startProvider(site: string) {
  const server = createServer((request, response) => void provider.callback()(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      { client_id: 'qd', client_secret: 'a-secret-of-the-client', redirect_uris: [`${site}/api/v1/oauth2/callback`] },
    ],
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  return { url, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('issue 14: a real OpenID provider is added, bound on the profile page, and signs in', async ({
  signedIn,
  browser,
  product,
}) => {
  const house = await startProvider(product.url)
  const id = await callApi(signedIn, 'POST', 'user', { ...kim, role: 1 })
  await signedIn.goto('/dashboard/settings/sign-in-provider')
  await expect(signedIn.getByRole('heading', { name: 'Sign-in providers', exact: true })).toBeVisible()
  await signedIn.keyboard.press('c')
  const form = signedIn.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('House')
  await form.getByLabel('Provider URL').fill(house.url)
  await form.getByLabel('Client ID').fill('qd')
  await form.getByLabel('Client secret').fill('a-secret-of-the-client')
  await form.getByLabel('Console URL').fill(product.url)
  await signedIn.keyboard.press('ControlOrMeta+Enter')
  await expect(signedIn.getByRole('row', { name: /House/ })).toBeVisible()

  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await page.goto('/dashboard/login')
  const button = page.getByRole('button', { name: 'Sign in with House' })
  await expect(button).toBeVisible()
  expect(await violations(page)).toEqual([])
  const agree = async () => {
    await page.locator('input[name=login]').fill('kim-there')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
  }
  await button.click()
  await agree()
  await expect(page.getByText('No user is bound to this House account')).toBeVisible()

  await page.getByRole('textbox', { name: 'Username' }).fill(kim.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(kim.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Account: sso-kim/ })).toBeVisible()
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Bind a provider', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Provider' })).toHaveValue('House')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Provider bound')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/profile$/)

  await context.clearCookies({ name: 'nz-jwt' })
  await page.goto('/dashboard/login')
  await button.click()
  await expect(page.getByRole('button', { name: /^Account: sso-kim/ })).toBeVisible()
  await context.close()
  await callApi(signedIn, 'POST', 'batch-delete/user', [id])
  const [{ id: added }] = (await callApi(signedIn, 'GET', 'sign-in-provider')) as [{ id: number }]
  await callApi(signedIn, 'POST', 'batch-delete/sign-in-provider', [added])
  await house.close()
})
