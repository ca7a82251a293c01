import type { Page } from '@playwright/test'
import { resources } from '@qd/core/resources'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { uuidOf } from '../support/world.ts'
import { agentSecret, expect, showPage, test, testWithoutAgent } from './console.ts'

/** How far things moved by themselves since the page began, as browsers count it: 0 is nothing, 0.1 is what they call good. */
const shift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const moved = list.getEntries() as unknown as { value: number }[]
          resolve(moved.reduce((sum, { value }) => sum + value, 0))
        }).observe({ type: 'layout-shift', buffered: true })
        // Nothing moved: then nothing is told.
        setTimeout(() => resolve(0), 300)
      }),
  )

for (const [path, part] of [
  ['/dashboard', '.list'],
  ['/dashboard/login', '.login'],
  ['/', '.public'],
] as const)
  test(`issue 12, looks: ${path} stands before any other file has come, and makes room for the page`, async ({
    signedIn: page,
  }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/dashboard/assets/**', async (route) => {
      await held
      await route.continue()
    })
    if (path.endsWith('login')) await page.context().clearCookies()
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.locator(`#first ${part}`)).toBeVisible()
      const paints = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
      await expect.poll(paints).toBe(1)
    }
    release()
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.locator('#first')).toBeHidden()
  })

test('issue 12, looks: with a slow server nothing that stands moves', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.evaluate(() => localStorage.setItem('first-steps', ''))
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  for (const width of [1280, 890, 400]) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/dashboard', '/dashboard/cron', '/dashboard/settings', '/', '/wall']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      if (path === '/dashboard') await expect(page.getByRole('region', { name: 'First steps' })).toContainText('of 5')
      expect(await shift(page), `${path} at ${width}`).toBeLessThan(0.01)
    }
  }
})

test('issue 17: the list stands after few requests, and none of them waits for the code', async ({
  signedIn: page,
}) => {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelectorAll('[role=row]').length < 2) return
      observer.disconnect()
      const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const names = files.map(({ name }) => name.replace(location.origin, ''))
      Object.assign(globalThis, {
        before: names,
        size: files.reduce((sum, file) => sum + (file.name.endsWith('.js') ? file.encodedBodySize : 0), 0),
      })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/dashboard')
  await page.waitForFunction(() => 'before' in globalThis)
  const { before, size } = await page.evaluate(() => {
    const { before, size } = globalThis as unknown as { before: string[]; size: number }
    return { before, size }
  })
  // What the page brings or begins itself; a session is prolonged beside it.
  const lists = ['/api/v1/server', '/api/v1/server-group', '/api/v1/ddns', '/api/v1/refresh-token']
  expect(before.filter((name) => name.startsWith('/api/') && !lists.includes(name))).toEqual([])
  expect(before.length).toBeLessThanOrEqual(12)
  expect(size).toBeLessThan(250_000)
  // Nobody is at the page: what floats over it is not fetched.
  await page.waitForLoadState('networkidle')
  const all = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return files.reduce((sum, { name, encodedBodySize }) => sum + (name.endsWith('.js') ? encodedBodySize : 0), 0)
  })
  expect(all).toBeLessThan(250_000)
})

testWithoutAgent()(
  'issue 17: no list waits for the later texts, and what says them does',
  async ({ signedIn: page, context, product }) => {
    test.slow()
    // A host that is away reads the same all the time.
    const { port } = new URL(product.url)
    await (await startSimulatedAgent({ port: Number(port), secret: agentSecret, uuid: uuidOf(1) })).close()
    // The list of connections is never empty: this page’s own comes after the page.
    await (await context.newPage()).goto('/dashboard')
    // An age has another part after a minute.
    const named = async () =>
      (await page.locator('body').ariaSnapshot())
        .replace(/[\d.,:]+(?: ?[\p{L}%]+)*/gu, '#')
        .replace(/#[ #]*#/g, '#')
        .split('\n')
    const host = page.getByRole('row').nth(1)
    await expect(host.getByRole('img', { name: /offline/ })).toBeVisible({ timeout: 30_000 })
    const paths = resources.filter(({ wire }) => wire.shape === 'many').map(({ path }) => path)
    const whole = new Map<string, string[]>()
    for (const path of paths) {
      const later = page.waitForResponse(/assets\/later-/)
      await page.goto(path)
      await expect(page.getByRole('main')).toBeVisible()
      // Somebody is at it: the later texts are fetched.
      await page.keyboard.press('Shift')
      await later
      await page.waitForLoadState('networkidle')
      whole.set(path, await named())
    }
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/later-*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('main')).toBeVisible()
    for (const path of paths) {
      await showPage(page, path)
      // What floats over the page comes with the later texts.
      await expect
        .poll(async () => (await named()).filter((line) => !whole.get(path)?.includes(line)), path)
        .toEqual([])
    }
    await page.keyboard.press('?')
    release()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  },
)

test('issue 17: texts that cannot be fetched are asked for again', async ({ signedIn: page }) => {
  let failures = 0
  await page.route('**/assets/later-*', async (route) => {
    failures += 1
    await (failures < 2 ? route.abort() : route.continue())
  })
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('main')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(failures).toBeGreaterThan(1)
})
