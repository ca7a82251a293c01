import { changeSettings } from './api.ts'
import { askForAll, expect, test } from './console.ts'

test('issue 12, friction: the first screen offers its own address for agents, and one press makes the command', async ({
  signedIn: page,
  product,
}) => {
  await changeSettings(page, { install_host: '' })
  await askForAll(page)
  await page.route(/\/api\/v1\/server(\?|$)/, (route) => route.fulfill({ json: { success: true, data: [] } }))
  await page.routeWebSocket(/ws\/server/, () => undefined)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/dashboard')
  const { host } = new URL(product.url)
  const main = page.getByRole('main')
  await expect(main.getByText(`Agents will connect to ${host}, the address of this page`)).toBeVisible()
  await expect(main.getByText('docking address')).toHaveCount(0)
  await main.getByRole('button', { name: 'Use this address' }).click()
  await expect(main.getByText(`${host}/install.sh`)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Copy command' })).toBeVisible()
  await changeSettings(page, { install_host: '' })
})
