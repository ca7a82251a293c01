import type { Page } from '@playwright/test'
import { createBrowser } from '../support/browser.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { uuidOf } from '../support/world.ts'
import { callApi } from './api.ts'
import { violations } from './axe.ts'
import { admin, agentSecret, expect, test } from './console.ts'
import { textTrouble } from './layout.ts'

async function openServers(page: Page) {
  await page.goto('/dashboard')
  const row = page.getByRole('row').nth(1)
  await expect(row.getByRole('img', { name: /online|warning/ })).toBeVisible()
  // A row is drawn a moment before its list listens to keys.
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(row).toBeFocused({ timeout: 1000 })
  }).toPass()
}
test('a command on a server by keyboard alone: asked in one window with what it reaches, its output in the ledger', async ({
  signedIn: page,
}) => {
  await openServers(page)
  await page.keyboard.press('r')
  const ask = page.getByRole('dialog', { name: /^Run command/ })
  await expect(ask.getByRole('textbox', { name: 'Command' })).toBeFocused()
  await expect(ask.getByRole('complementary', { name: 'Preview' })).toContainText('1 online, will run')
  await page.keyboard.press('Control+Enter')
  await expect(ask.getByRole('textbox', { name: 'Command' })).toHaveAccessibleDescription('Required')
  expect(await violations(page)).toEqual([])
  expect(await textTrouble(ask)).toEqual([])
  await page.keyboard.type('echo from the console')
  await page.keyboard.press('Control+Enter')
  await expect(page).toHaveURL(/\/dashboard\/run\/\d+$/)
  await expect(page.getByRole('region', { name: 'Output' })).toHaveText('from the console')
})

test('the agent’s configuration is read into the form, and only what was changed is sent', async ({
  signedIn: page,
}) => {
  await openServers(page)
  await page.keyboard.press('.')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('agent configuration')
  await page.keyboard.press('Enter')
  const ask = page.getByRole('dialog', { name: /^Agent configuration/ })
  await expect(ask.getByRole('textbox', { name: 'Report interval', exact: true })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect(ask.getByRole('status').filter({ hasText: 'No changes' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ask).toBeHidden()
})

test('issue 10.5 allow lists take JSON, and keep and refuse what cannot be read', async ({ signedIn: page }) => {
  await openServers(page)
  await page.keyboard.press('.')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('agent configuration')
  await page.keyboard.press('Enter')
  const ask = page.getByRole('dialog', { name: /^Agent configuration/ })
  const list = ask.getByRole('textbox', { name: 'Network interfaces to measure' })
  const sends: unknown[] = []
  await page.route('**/api/v1/server/config', async (route) => {
    sends.push(JSON.parse((route.request().postDataJSON() as { config: string }).config))
    await route.fulfill({ json: { success: false, error: 'not in this test' } })
  })
  await list.fill('["eth0", "eth1"')
  await page.keyboard.press('Control+Enter')
  await expect(list).toHaveAccessibleDescription(/Invalid JSON string/)
  await expect(list).toHaveValue('["eth0", "eth1"')
  await list.fill('{"eth0": true, "docker0": false}')
  await expect(ask.getByText('docker0=no')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => sends).toEqual([{ nic_allowlist: { eth0: true, docker0: false } }])
})

test('install commands: the header’s button asks for what, and copies; without an address that of the page is offered', async ({
  signedIn: page,
  product,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  const { config } = (await browser.api('GET', 'setting')) as { config: object }
  await openServers(page)
  await page.getByRole('button', { name: 'Install agent' }).focus()
  await page.keyboard.press('Enter')
  const ask = page.getByRole('dialog', { name: 'Add a server' })
  const hosts = ask.getByRole('textbox', { name: 'Hosts' })
  await expect(hosts).toHaveValue('1')
  await ask.getByRole('button', { name: 'Use this address' }).click()
  await hosts.fill('3')
  await ask.getByRole('button', { name: 'Copy command' }).click()
  await expect(page.getByText('Copied the command')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/\/install\.sh.* QD_CODE=\w{24} sh$/)
  expect(copied).not.toContain('NZ_CLIENT_SECRET')
  await page.keyboard.press('Escape')
  await expect(ask).toHaveCount(0)
  await browser.api('PATCH', 'setting', config)
})

test('P-17: few arguments are asked one by one in the palette, the problem under the input, beside what it will do', async ({
  signedIn: page,
}) => {
  await openServers(page)
  await page.keyboard.press('.')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('run command')
  await page.keyboard.press('Enter')
  const palette = page.getByRole('dialog', { name: 'Palette' })
  const command = palette.getByRole('textbox', { name: 'Command' })
  await expect(command).toBeFocused()
  await expect(palette.getByText('step 1 of 2')).toBeVisible()
  await expect(palette.getByRole('complementary', { name: 'Preview' })).toContainText('1 online, will run')
  await page.keyboard.press('Enter')
  await expect(command).toHaveAccessibleDescription('Required')
  await page.keyboard.type('echo asked here')
  await page.keyboard.press('Enter')
  const limit = palette.getByRole('textbox', { name: 'Time limit' })
  await expect(limit).toBeFocused()
  await expect(palette.getByRole('definition')).toHaveText(['echo asked here'])
  await page.keyboard.press('Control+a')
  await page.keyboard.type('0')
  await page.keyboard.press('Enter')
  await expect(limit).toHaveAttribute('aria-invalid', 'true')
  expect(await violations(page)).toEqual([])
  expect(await textTrouble(palette)).toEqual([])
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(command).toHaveValue('echo asked here')
  await page.keyboard.press('Enter')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/run\/\d+$/)
  await expect(page.getByRole('region', { name: 'Output' })).toHaveText('asked here')
})

test('a forced update by its key: the words of the specification, then what became of it per server', async ({
  signedIn: page,
  product,
}) => {
  await openServers(page)
  const { port } = new URL(product.url)
  await (await startSimulatedAgent({ port: Number(port), secret: agentSecret, uuid: uuidOf(9) })).close()
  const gone = (await callApi(page, 'GET', 'server')) as { id: number; uuid: string; name: string }[]
  const { id, name } = gone.find(({ uuid }) => uuid === uuidOf(9))!
  await expect(page.getByRole('row', { name: new RegExp(`${name} .*offline|offline.*${name}`) })).toBeVisible()
  await page.keyboard.press('*')
  await page.keyboard.press('u')
  const ask = page.getByRole('dialog', { name: /^Force update/ })
  await expect(ask.getByRole('textbox', { name: 'Canary servers' })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  // Issue 10: who is offline was not upgraded.
  await expect(page.getByText(new RegExp(`^Forced upgrade: Sent to .* · Offline: ${name}$`))).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/run\/\d+$/)
  await callApi(page, 'POST', 'batch-delete/server', [id])
  await expect(page.getByRole('row').nth(1)).toContainText('success')
})
