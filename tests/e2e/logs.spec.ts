import type { Page, WebSocketRoute } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './console.ts'

/** A reading of two hosts in place of the server’s. */
async function fakeLogs(page: Page) {
  const asked: unknown[] = []
  const sockets: WebSocketRoute[] = []
  await page.route('**/api/v1/host/logs', (route) => {
    asked.push(route.request().postDataJSON())
    const hosts = ['web-1', 'web-2'].map((name, index) => ({ server_id: index + 1, name }))
    return route.fulfill({ json: { success: true, data: { session_id: 'aa', hosts } } })
  })
  await page.routeWebSocket('**/api/v1/ws/logs/aa', (socket) => void sockets.push(socket))
  const say = (message: object) => sockets.at(-1)!.send(JSON.stringify(message))
  return { asked, sockets, say }
}

const entry = (second: number, text: string, more: object = {}) => ({
  ...{
    at: Date.UTC(2026, 10, 26, 15, 0, second),
    unit: 'nginx.service',
    name: 'nginx',
    pid: 12,
    level: 6,
    text,
    ...more,
  },
})

test('log lines of several hosts: in order, with their names, filtered, paused, and what is missing', async ({
  signedIn: page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { asked, sockets, say } = await fakeLogs(page)
  await page.goto('/dashboard/logs?on=&unit=nginx&grep=5..')
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  expect(asked.at(-1)).toMatchObject({ on: '', unit: 'nginx', grep: '5..', follow: true, since: null })
  const log = page.getByRole('log')
  say({ server_id: 1, state: 'read', source: 'journal', filtered: true })
  say({ server_id: 2, state: 'offline' })
  say({ server_id: 1, entries: [entry(2, 'GET /b 502', { level: 3 }), entry(3, 'two\nrows')], left: 1200 })
  say({ server_id: 2, entries: [entry(1, 'GET /a 500')], left: 0 })
  await expect(log).toContainText('GET /b 502')
  const text = (await log.innerText()).replace(/\s+/g, ' ')
  expect(text).toMatch(/web-2 nginx\[12\]: GET \/a 500 .*web-1 nginx\[12\]: GET \/b 502 .*two rows/)
  await expect(page.getByRole('status').filter({ hasText: 'hosts answered' })).toContainText(
    /1 of 2 hosts answered.*1,200/,
  )
  await page.getByRole('button', { name: 'Pause' }).click()
  say({ server_id: 1, entries: [entry(4, 'later')], left: 0 })
  await expect(page.getByText('new lines: 1')).toBeVisible()
  await expect(log).not.toContainText('later')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(log).toContainText('later')
  await page.getByRole('log').focus()
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.keyboard.press('p')
  await page.keyboard.press('y')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/web-2 nginx\[12\]: GET \/a 500\n.*web-1 nginx\[12\]: GET \/b 502\n.* two\n {2}rows\n.* later$/)
  await page.keyboard.press('f')
  await expect(page.getByLabel('Filter')).toBeFocused()
  await page.getByRole('textbox', { name: 'Unit' }).fill('sshd')
  await page.getByLabel('Since').fill('soon')
  await page.getByLabel('Since').press('Enter')
  expect(page.url()).toContain('unit=nginx')
  await page.getByLabel('Since').fill('10m')
  await page.getByLabel('Since').press('Enter')
  await expect(page).toHaveURL(/unit=sshd.*since=10m/)
  await expect.poll(() => asked.at(-1)).toMatchObject({ unit: 'sshd', since: expect.any(Number) })
  expect(await violations(page)).toEqual([])
})

test('a flood doesn’t slow the page, which keeps the newest lines and draws those in view', async ({
  signedIn: page,
}) => {
  const { sockets, say } = await fakeLogs(page)
  await page.goto('/dashboard/logs?on=')
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  for (let part = 0; part < 60; part += 1)
    say({
      server_id: 1,
      entries: Array.from({ length: 500 }, (_, at) => entry(part, `line ${part * 500 + at}`)),
      left: 0,
    })
  const log = page.getByRole('log')
  await expect(log).toContainText('line 29999')
  expect(await log.locator('> div > div').count()).toBeLessThan(100)
  expect(await log.evaluate((element) => element.scrollHeight)).toBeLessThan(10_100 * 20)
})

test('l on a server opens its logs, with the query in the address; g L opens the page', async ({ signedIn: page }) => {
  const { asked } = await fakeLogs(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/dashboard\/logs\?on=%23\d+$/)
  await expect.poll(() => asked.at(-1)).toMatchObject({ on: expect.stringMatching(/^#\d+$/), unit: '', follow: true })
  await page.goto('/dashboard')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('Shift+L')
  await expect(page).toHaveURL(/dashboard\/logs$/)
  await page.getByRole('button', { name: 'Source' }).click()
  await page.getByRole('option', { name: 'Container' }).click()
  const name = page.getByRole('textbox', { name: 'Container' })
  await name.fill('app')
  await name.press('Enter')
  await expect.poll(() => asked.at(-1)).toMatchObject({ unit: '', container: 'app' })
})

test('l on a unit opens the log lines of that unit on its server', async ({ signedIn: page }) => {
  const { asked } = await fakeLogs(page)
  await page.route('**/api/v1/host/unit**', (route) => {
    const rows = [{ name: 'nginx.service', type: 'service', state: 'active', manager: 'systemd' }]
    const hosts = [{ server_id: 1, state: 'read', at: new Date().toISOString(), rows }]
    return route.fulfill({ json: { success: true, data: { cursor: 1, servers: [1], hosts } } })
  })
  await page.goto('/dashboard/unit')
  await page.getByRole('row', { name: /nginx\.service/ }).focus()
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/dashboard\/logs\?on=%231&unit=nginx\.service$/)
  await expect.poll(() => asked.at(-1)).toMatchObject({ on: '#1', unit: 'nginx.service', container: '', follow: true })
})
