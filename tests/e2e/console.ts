import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'

/** Where the built product is; the build of this checkout unless `QD_BUILT` names another folder. */
const root = process.env.QD_BUILT ?? fileURLToPath(new URL('../..', import.meta.url))

/** The first administrator of every test server. */
export const admin = { username: 'admin', password: 'correct horse battery' }

/** The site's agent secret of every test server. */
export const agentSecret = 'e2e-agent-secret-0123456789abcdef'

/** From the next page on the console asks for all it shows, so that a test may answer instead of the server, which puts the first answers into the page. */
export const askForAll = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(globalThis, 'firstAnswers', { get: () => undefined, set: () => undefined }),
  )

/** A running product: the built server with the agent of this machine, on a port and in a folder of its own. */
export interface Product {
  url: string
  data: string
}

function start(data: string, flags: readonly string[] = []): Promise<{ url: string; server: ChildProcess }> {
  const program = join(root, 'apps/server/dist/main.js')
  const server = spawn(process.execPath, [program, '--port', '0', '--data', data, ...flags], {
    env: {
      ...process.env,
      TZ: 'UTC',
      // Shells of the agent are login shells: what this machine's own profile does, or waits for, is no part of a test.
      HOME: data,
      QD_ADMIN_PASSWORD: admin.password,
      QD_AGENT_SECRET: agentSecret,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let out = ''
    let errors = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const ready = /^Quarterdeck is ready: (\S+)\/dashboard$/m.exec(out)
      if (ready) resolve({ url: ready[1]!, server })
    })
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${errors}`)))
  })
}

function stop(server: ChildProcess): Promise<unknown> {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  return ended
}

/** Waits for the record of the agent that the server starts. */
async function agentArrives(url: string): Promise<void> {
  const call = async (path: string, init: RequestInit) =>
    (await (await fetch(`${url}/api/v1/${path}`, init)).json()).data
  const headers = { 'Content-Type': 'application/json' }
  const { token } = await call('login', { method: 'POST', headers, body: JSON.stringify(admin) })
  await expect.poll(() => call('server', { headers: { Authorization: `Bearer ${token}` } })).not.toHaveLength(0)
}

/** A product whose data folder `prepare` may write to before the server starts on it. */
function productWith(prepare?: (database: string) => void, flags: readonly string[] = []) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the destructured form
  return async ({}: object, use: (product: Product) => Promise<void>) => {
    const data = mkdtempSync(join(tmpdir(), 'qd-e2e-'))
    if (prepare) {
      await stop((await start(data)).server)
      prepare(join(data, 'quarterdeck.db'))
    }
    const { url, server } = await start(data, flags)
    if (!flags.includes('--no-agent')) await agentArrives(url)
    await use({ url, data })
    await stop(server)
    rmSync(data, { recursive: true, force: true })
  }
}

/** The first steps have a test of their own. */
const dismissFirstSteps = (page: Page) =>
  page.addInitScript(() => localStorage.getItem('first-steps') ?? localStorage.setItem('first-steps', '1'))

/** Signs the first administrator in, at another way to the server than the test's own if one is named. */
export async function signInAt(page: Page, url = ''): Promise<void> {
  await dismissFirstSteps(page)
  await page.goto(`${url}/dashboard/login`)
  await page.getByRole('textbox', { name: 'Username' }).fill(admin.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/?$/)
}

/** Signs the first administrator in without the sign-in page, and opens the console. */
async function openConsole(page: Page): Promise<void> {
  await dismissFirstSteps(page)
  const answer = await page.request.post('/api/v1/login', { data: admin })
  expect(await answer.json()).toMatchObject({ success: true })
  await page.goto('/dashboard')
  // Before it, no key is heard.
  await expect(page.getByRole('main').locator('[role=row], h2').first()).toBeVisible()
}

/** Shows another page without loading the console again. The list of the page before is gone then: its rows may have the same names. */
export async function showPage(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    if (new URL(to, location.href).pathname !== location.pathname)
      for (const list of document.querySelectorAll('[role="grid"]')) list.setAttribute('data-left', '')
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await expect(page.locator('[data-left]')).toHaveCount(0)
}

/** Playwright's test with a running product per worker. */
export const test = base.extend<{ signedIn: Page }, { product: Product }>({
  product: [productWith(), { scope: 'worker' }],
  baseURL: async ({ product }, use) => use(product.url),
  signedIn: async ({ page }, use) => {
    await openConsole(page)
    await use(page)
  },
})

/** The same on a product of its own, whose database `prepare` may fill before the server starts on it. */
export function testOn(prepare: (database: string) => void) {
  return test.extend<object, { product: Product }>({ product: [productWith(prepare), { scope: 'worker' }] })
}

/** The same on a product without the agent of this machine, where no other file has added a server. */
export const testWithoutAgent = () =>
  test.extend<object, { product: Product }>({
    product: [productWith(undefined, ['--no-agent']), { scope: 'worker' }],
  })

export { expect }
