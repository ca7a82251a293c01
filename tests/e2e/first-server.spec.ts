import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { changeSettings } from './api.ts'
import { askForAll, expect, testWithoutAgent } from './console.ts'

const test = testWithoutAgent()

/** Runs a command line on a host of its own: an empty home, which nothing else has. Resolves with what it printed, also when a program that it left in the background still writes. */
function runOnHost(home: string, command: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, QD_AGENT_DIR: join(home, 'agent'), QD_UNIT_DIR: home }
  const printed = join(home, 'printed.txt')
  const file = openSync(printed, 'w')
  return new Promise<string>((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { cwd: home, env, stdio: ['ignore', file, file], timeout: 40_000 })
    child.on('error', reject)
    child.on('exit', () => resolve(readFileSync(printed, 'utf8')))
  }).finally(() => closeSync(file))
}

/** Ends the agent of a host, which may be left where its test ended early. */
function endAgent(home: string): void {
  const file = join(home, 'agent', 'agent.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8'))
  try {
    if (pid > 1) process.kill(pid)
  } catch {
    // It has ended by itself.
  }
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('issue 39.5: from sign-in to “connected”: the first server and the next, each by the copied line', async ({
  signedIn: page,
  product,
}) => {
  test.setTimeout(60_000)
  const homes: string[] = []
  const host = () => {
    const home = mkdtempSync(join(tmpdir(), 'qd-host-'))
    homes.push(home)
    return home
  }
  try {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const main = page.getByRole('main')
    const here = new URL(product.url).host
    await expect(main.getByRole('heading', { name: 'Add your first server' })).toBeVisible()
    await expect(page.getByText('docking address')).toHaveCount(0)
    await main.getByRole('button', { name: 'Use this address' }).click()
    await expect(main.getByText(`${here}/install.sh`)).toBeVisible()
    await expect(main.getByText(`Only this host can reach ${here}.`)).toBeVisible()
    await expect(main.getByText('Waiting for an agent…')).toBeVisible()
    await main.getByRole('button', { name: 'Copy command' }).click()
    await expect.poll(() => copied(page)).toMatch(/\/install\.sh.* QD_CODE=\w{24} sh$/)
    expect(await runOnHost(host(), await copied(page))).toContain('is running')
    await expect(page.getByText(`${hostname()} connected`)).toBeVisible({ timeout: 30_000 })

    await page.getByRole('button', { name: 'Install agent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a server' })
    await dialog.getByText('Watch-only').click()
    await expect(dialog.getByText('QD_WATCH_ONLY=true')).toBeVisible()
    await expect(dialog.getByText('Waiting for an agent…')).toBeVisible()
    await dialog.getByRole('button', { name: 'Copy command' }).click()
    await expect.poll(() => copied(page)).toContain('QD_WATCH_ONLY=true')
    expect(await runOnHost(host(), await copied(page))).toContain('is running')
    // The hostname is taken, so the server has made up a name of two words.
    const said = dialog.getByText(/^[a-z]+-[a-z]+ connected$/)
    await expect(said).toBeVisible({ timeout: 30_000 })
    const name = (await said.textContent())!.split(' ')[0]!
    await dialog.getByRole('button', { name: `Open ${name}` }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('heading', { name })).toBeVisible()
  } finally {
    for (const home of homes) {
      await runOnHost(home, `curl -fsSL ${product.url}/install.sh | sh -s uninstall`)
      endAgent(home)
      rmSync(home, { recursive: true, force: true, maxRetries: 10 })
    }
  }
})

test('issue 39.5: the first steps lead to what does them, and a refused address to its setting, until they are dismissed', async ({
  signedIn: page,
}) => {
  await page.evaluate(() => localStorage.setItem('first-steps', ''))
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('of 5')
  await steps.getByRole('button', { name: 'Set the console’s address' }).click()
  await expect(page.getByRole('textbox', { name: 'Console hostname' })).toBeFocused()
  await page.goto('/dashboard')
  await steps.getByRole('button', { name: 'Choose where to be notified' }).click()
  const form = page.getByRole('dialog', { name: /New notifier/ })
  await form.getByRole('textbox', { name: 'Name' }).fill('Private hook')
  await form.getByRole('textbox', { name: 'URL', exact: true }).fill('http://127.0.0.1:9/')
  await form.getByRole('button', { name: /^Send test/ }).click()
  await form.getByRole('button', { name: 'Open “Private addresses notifiers can call”' }).click()
  // The form closes, after it has asked about what is typed.
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Private hook')
  await form.getByRole('button', { name: 'Open “Private addresses notifiers can call”' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Private addresses notifiers can call' })).toBeFocused()
  await page.goto('/dashboard')
  await steps.getByRole('button', { name: 'Dismiss first steps' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Install agent' })).toBeVisible()
  await expect(steps).toHaveCount(0)
})

test('“Other address” opens the setting and closes the dialog that it stands in', async ({ signedIn: page }) => {
  await changeSettings(page, { install_host: '' })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Install agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a server' })
  await dialog.getByRole('button', { name: 'Other address' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Address for agents' })).toBeFocused()
})

test('the first steps can be dismissed while the lists they are read from fail', async ({ signedIn: page }) => {
  await askForAll(page)
  await page.evaluate(() => localStorage.setItem('first-steps', ''))
  await page.route(/\/api\/v1\/(server|alert-rule)(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { error: 'database error' } }),
  )
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Dismiss first steps' }).click()
  await expect(page.getByRole('region', { name: 'First steps' })).toHaveCount(0)
})
