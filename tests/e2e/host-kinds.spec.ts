import type { Page } from '@playwright/test'
import { askForAll, expect, test } from './console.ts'
import { expectNoFindings } from './layout.ts'

/** The answer of one host in place of the server’s; `done` gets the actions. */
async function fakeHost(page: Page, kind: string, rows: readonly object[]) {
  const done: unknown[] = []
  await page.route(`**/api/v1/host/${kind}**`, (route) => {
    const request = route.request()
    if (request.method() === 'POST') {
      done.push([new URL(request.url()).pathname.split('/').at(-1), request.postDataJSON()])
      return route.fulfill({ json: { success: true, data: { run_id: null, success: [1], offline: [] } } })
    }
    const at = new Date().toISOString()
    const hosts = [{ server_id: 1, state: 'read', at, rows }]
    return route.fulfill({ json: { success: true, data: { cursor: 1, servers: [1], hosts } } })
  })
  return done
}

const GiB = 2 ** 30
const mount = (name: string, used: number | null, more: object = {}) => ({
  ...{ name, used, device: '/dev/sda1', type: 'ext4', state: 'ok', inodes: 12, read_only: false },
  ...{
    size: 100 * GiB,
    used_bytes: used === null ? null : used * GiB,
    available: used === null ? null : (100 - used) * GiB,
  },
  ...{ drives: ['sda'], model: 'Samsung SSD 870', drive_size: 500 * GiB, media: 'ssd', health: 'passed' },
  ...more,
})

test('file systems: the fullest first, with tones, and a filter', async ({ signedIn: page }) => {
  await fakeHost(page, 'filesystem', [
    mount('/', 42, { full_in: 31_536_000 }),
    mount('/var', 97, { health: 'failing' }),
    mount('/srv', 88, { full_in: null }),
    mount('/nfs', null, {
      state: 'silent',
      size: null,
      inodes: null,
      type: 'nfs4',
      health: 'unknown',
      drives: [],
      media: 'unknown',
    }),
  ])
  await page.goto('/dashboard/filesystem')
  await expect(page.getByRole('heading', { name: 'Filesystems', level: 1 })).toBeVisible()
  const rows = page.getByRole('row', { name: /\// })
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('/var')
  await expect(rows.nth(1)).toContainText('/srv')
  // Whether it fills up isn’t known, unlike of the one that doesn’t.
  await expect(rows.nth(1)).toContainText('unknown')
  await expect(rows.nth(2)).not.toContainText('unknown')
  await expectNoFindings(page, { shown: page.getByRole('gridcell').first(), name: 'filesystems' })
  await page.goto('/dashboard/filesystem?q=used%3E85')
  await expect(rows).toHaveCount(2)
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary')).toContainText('Samsung SSD 870')
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/filesystems-panel.png` })
})

test('a server’s page shows what runs on its host while it is in view, and leads to all of it', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/host/') && asked.push(request.url()))
  let isBack = false
  await fakeHost(page, 'filesystem', [mount('/', 42), mount('/var', 97)])
  await fakeHost(page, 'package', [])
  await page.route('**/api/v1/host/container**', (route) => {
    const at = new Date().toISOString()
    const rows = [{ name: 'app', ref: 'docker/app', engine: 'docker', image: 'app:1', state: 'unhealthy' }]
    const host = isBack ? { server_id: 1, state: 'read', at, rows } : { server_id: 1, state: 'timed out', at }
    return route.fulfill({ json: { success: true, data: { cursor: 1, servers: [1], hosts: [host] } } })
  })
  const units = ['a', 'b', 'c', 'd', 'e', 'f', 'nginx'].map((name) => ({
    ...{ name: `${name}.service`, description: '', type: 'service', state: name === 'nginx' ? 'failed' : 'active' },
    ...{ sub: '', enabled: 'enabled', since: null, memory: null, restarts: 0, manager: 'systemd' },
  }))
  await fakeHost(page, 'unit', units)
  await page.setViewportSize({ width: 1280, height: 300 })
  await page.goto('/dashboard?open=1')
  const panel = page.getByRole('complementary')
  const section = (name: string) => panel.locator('section', { has: page.getByRole('heading', { name, exact: true }) })
  await expect(section('Units')).toBeAttached()
  expect(asked).toEqual([])

  await page.setViewportSize({ width: 1280, height: 800 })
  await section('Packages').scrollIntoViewIfNeeded()
  await expect(section('Units')).toContainText('1 failed')
  await expect(section('Units').getByRole('listitem')).toHaveCount(5)
  await expect(section('Units').getByRole('listitem').first()).toContainText('nginx.service')
  // Name and state stand on one line.
  const bottoms = await section('Units')
    .getByRole('listitem')
    .first()
    .evaluate((item) => {
      const texts = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
      const found: number[] = []
      for (const range = document.createRange(); texts.nextNode(); found.push(range.getBoundingClientRect().bottom))
        range.selectNodeContents(texts.currentNode)
      return found
    })
  expect(bottoms.length).toBeGreaterThan(1)
  expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(1)
  await expect(section('Filesystems').getByRole('listitem').first()).toContainText('/var')
  await expect(section('Packages')).toContainText('None on this host')
  await expect(section('Containers')).toContainText('The host didn’t respond in time')
  await expectNoFindings(page, { shown: page.getByRole('gridcell').first(), name: 'server-page' })
  isBack = true
  await expect(section('Containers')).toContainText('1 unhealthy', { timeout: 15_000 })

  await section('Units').getByRole('link', { name: 'nginx.service' }).click()
  await expect(page).toHaveURL(/\/dashboard\/unit\?on=%231&open=\d+$/)
  await expect(panel).toContainText('nginx.service')
  await page.goBack()
  await section('Units').getByRole('link', { name: 'All 7' }).click()
  await expect(page).toHaveURL(/\/dashboard\/unit\?on=%231$/)
  await page.goBack()
  await expect(section('Units')).toBeAttached()
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/\/dashboard\/process\?on=%231$/)
})

const update = (name: string, state: string, more: object = {}) => ({
  ...{ ref: `apt/${name}`, name, state, installed: '1.0', available: '1.1', source: 'stable', manager: 'apt' },
  ...{ lists_at: new Date(Date.now() - 3_600_000).toISOString(), ...more },
})

test('packages: a reboot and security updates first, and an upgrade with a canary', async ({ signedIn: page }) => {
  const done = await fakeHost(page, 'package', [
    update('bash', 'update'),
    update('openssl', 'security', { source: 'stable-security' }),
    update('reboot-required', 'reboot', { installed: '', available: '', source: 'linux-image-amd64' }),
  ])
  await page.goto('/dashboard/package')
  const rows = page.getByRole('row', { name: /bash|openssl|reboot/ })
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('reboot-required')
  await expect(rows.nth(1)).toContainText('openssl')
  await expectNoFindings(page, { shown: page.getByRole('gridcell').first(), name: 'packages' })
  await rows.nth(1).focus()
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Canary servers').fill('1')
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/packages-upgrade.png` })
  await page.keyboard.press('ControlOrMeta+Enter')
  const upgrade = { targets: [{ server_id: 1, name: 'apt/openssl' }], canary: 1, batch: 0, max_failures: 0 }
  await expect.poll(() => done).toEqual([['upgrade', upgrade]])
})

test('the list of servers is filtered by what their hosts owe, which is asked for', async ({ signedIn: page }) => {
  await askForAll(page)
  const watched = { updates: 3, updates_security: 2, reboot_required: 1 }
  const owing = (rows: readonly object[] | undefined) => rows?.map((row) => ({ ...row, watched }))
  await page.routeWebSocket(/ws\/server/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const frame = JSON.parse(String(message)) as { servers?: object[] }
      socket.send(JSON.stringify({ ...frame, servers: owing(frame.servers) }))
    })
  })
  await page.route(/\/api\/v1\/server(\?|$)/, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: object[] }
    return route.fulfill({ response, json: { ...rest, data: owing(data) } })
  })
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/host/metrics')) asked.push(searchParams.get('metric'))
  })
  for (const [filter, metrics, isFound] of [
    ['updates_security>1', 'updates_security', true],
    ['updates_security>2', 'updates_security', false],
    ['reboot updates:3', 'reboot_required,updates', true],
    ['!reboot', 'reboot_required', false],
  ] as const) {
    asked.length = 0
    await page.goto(`/dashboard?q=${encodeURIComponent(filter)}`)
    await expect.poll(() => asked).toContain(metrics)
    if (isFound) await expect(page.getByRole('row').nth(1)).toBeVisible()
    else await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible()
  }
})
