import type { Page, Route } from '@playwright/test'
import { expect, showPage, test } from './console.ts'
import { expectNoFindings } from './layout.ts'

/** Answers for hosts in place of the server: the one that is there has `rows`, and one more is offline. */
async function fakeHosts(page: Page, rows: () => readonly object[], kind = 'unit') {
  const asked: URLSearchParams[] = []
  const done: unknown[] = []
  await page.route(`**/api/v1/host/${kind}**`, async (route: Route) => {
    const request = route.request()
    if (request.method() === 'POST') {
      done.push([new URL(request.url()).pathname.split('/').at(-1), request.postDataJSON()])
      return route.fulfill({ json: { success: true, data: { run_id: null, success: [1], offline: [] } } })
    }
    asked.push(new URL(request.url()).searchParams)
    const at = new Date().toISOString()
    const hosts = [
      { server_id: 1, state: 'read', at, rows: rows() },
      { server_id: 2, state: 'timed out', at: null },
    ]
    return route.fulfill({ json: { success: true, data: { cursor: asked.length, hosts } } })
  })
  return { asked, done }
}

const since = new Date(Date.now() - 3_600_000).toISOString()
const unit = (name: string, state: string, more: object = {}) => ({
  ...{ name, description: `The ${name} of this host`, type: name.split('.').at(-1), state, sub: state },
  ...{ enabled: 'enabled', since, memory: 12_582_912, restarts: 0, manager: 'systemd', ...more },
})

test('units of hosts: failed ones first, who did not answer above them, a target in the address, and a restart', async ({
  signedIn: page,
}) => {
  let isFailed = true
  const { asked, done } = await fakeHosts(page, () => [
    unit('sshd.service', 'active'),
    unit('nginx.service', isFailed ? 'failed' : 'active'),
    unit('cups.socket', 'inactive', { enabled: 'disabled', memory: null }),
    unit('logrotate.timer', 'active', { memory: null }),
  ])
  await page.goto('/dashboard/unit')
  await expect(page.getByRole('heading', { name: 'Units', level: 1 })).toBeVisible()
  const rows = page.getByRole('row', { name: /\.(service|socket|timer)/ })
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('nginx.service')
  await expect(page.getByText('1 of 2 hosts answered')).toBeVisible()
  await expect(page.getByText(/timed out: /)).toBeVisible()

  await page.getByRole('textbox', { name: 'Hosts' }).fill('cpu>')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await page.getByRole('textbox', { name: 'Hosts' }).fill('online')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/unit\?on=online/)
  await expect.poll(() => asked.at(-1)?.get('on')).toBe('online')

  await expectNoFindings(page, { shown: page.getByText('nginx.service').first(), name: 'units' })

  await rows.first().focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Canary')
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/units-restart.png` })
  await page.keyboard.press('ControlOrMeta+Enter')
  const restart = { targets: [{ server_id: 1, name: 'nginx.service' }], canary: 0, batch: 0, max_failures: 0 }
  await expect.poll(() => done).toEqual([['restart', restart]])
  isFailed = false
  await expect(page.getByRole('row', { name: /nginx\.service.*active/ })).toBeVisible({ timeout: 15_000 })

  await rows.first().focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary')
  await expect(panel).toContainText('The ')
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/units-panel.png` })
})

const container = (name: string, engine: string, state: string, more: object = {}) => ({
  ...{ name, ref: `${engine}/${name}`, engine, image: `registry.example.net/shop/${name}:4.12.1`, state, since },
  ...{ health: 'none', exit_code: null, project: 'shop', service: name, ports: '8080->80/tcp', restarts: 0 },
  ...{ cpu: 12.5, memory: 134_217_728, ...more },
})

test('containers of hosts: unhealthy ones first, docker and podman told apart, and a shell in one in a window of its own', async ({
  signedIn: page,
}) => {
  const gone = { cpu: null, memory: null, exit_code: 137, ports: '' }
  const rows = [
    container('cache', 'docker', 'running', { health: 'healthy' }),
    container('app', 'docker', 'unhealthy', { health: 'unhealthy', cpu: 250.4 }),
    container('app', 'podman', 'running'),
    container('migrate', 'docker', 'exited', gone),
  ]
  const { done } = await fakeHosts(page, () => rows, 'container')
  await page.goto('/dashboard/container')
  await expect(page.getByRole('heading', { name: 'Containers', level: 1 })).toBeVisible()
  const found = page.getByRole('row', { name: /shop|app|cache|migrate/ })
  await expect(found).toHaveCount(4)
  await expect(found.first()).toContainText('unhealthy')
  await expectNoFindings(page, { shown: page.getByText('migrate').first(), name: 'containers' })
  const opened = page.waitForEvent('popup')
  await found.first().focus()
  await page.keyboard.press('t')
  const terminal = await opened
  await expect(terminal).toHaveURL(/\/dashboard\/terminal\/1\?in=container%2Fdocker%2Fapp/)
  await expect(terminal).toHaveTitle(/\/docker\/app · /)
  await terminal.close()
  await found.first().focus()
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByLabel('Canary servers').waitFor()
  await page.keyboard.press('ControlOrMeta+Enter')
  const targets = [{ server_id: 1, name: 'docker/app' }]
  await expect.poll(() => done).toEqual([['restart', { targets, canary: 0, batch: 0, max_failures: 0 }]])
})

test('a server’s page has nothing of its host while the server forbids it, and has it again once it is allowed', async ({
  signedIn: page,
}) => {
  let isAllowed = false
  const at = new Date().toISOString()
  const data = { cursor: 1, hosts: [{ server_id: 1, state: 'read', at, rows: [unit('nginx.service', 'active')] }] }
  await page.route('**/api/v1/host/**', (route) =>
    route.fulfill({ json: isAllowed ? { success: true, data } : { error: 'permission denied' } }),
  )
  const panel = page.getByRole('complementary')
  // Only what is in view is asked for.
  await page.setViewportSize({ width: 1280, height: 4000 })
  const answered = page.waitForResponse('**/api/v1/host/**')
  await page.goto('/dashboard?open=1')
  await answered
  await expect(panel.getByRole('link', { name: 'Processes' })).toHaveCount(0)
  await expect(panel.getByRole('heading', { name: 'Units' })).toHaveCount(0)
  isAllowed = true
  await showPage(page, '/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  await showPage(page, '/dashboard?open=1')
  await expect(panel.getByRole('heading', { name: 'Units' })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'nginx.service' }).first()).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Processes' })).toBeVisible()
})

test('hosts of which none answers are no empty list', async ({ signedIn: page }) => {
  await page.route('**/api/v1/host/unit**', (route) =>
    route.fulfill({ json: { success: true, data: { cursor: 1, hosts: [{ server_id: 1, state: 'not supported' }] } } }),
  )
  await page.goto('/dashboard/unit')
  await expect(page.getByRole('heading', { name: 'No host answered' })).toBeVisible()
  await expect(page.getByText(/not supported: /).first()).toBeVisible()
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/units-none.png` })
})

const running = (pid: number, program: string, cpu: number, memory: number, more: object = {}) => ({
  ...{
    name: `${program}[${pid}]`,
    ref: `${pid}@${pid}00`,
    pid,
    parent: 1,
    program,
    user: 'www-data',
    state: 'sleeping',
    kernel: false,
  },
  ...{ cpu, memory, threads: 4, since, cpu_time: 61, command: `/usr/sbin/${program} --flag`, tree: program, ...more },
})

test('processes of hosts: most CPU first, a tree by its column, a hidden command line, a signal and a kill', async ({
  signedIn: page,
}) => {
  const { done } = await fakeHosts(
    page,
    () => [
      running(2, 'kthreadd', 0, 0, { kernel: true, memory: null, command: '', user: 'root' }),
      running(901, 'nginx', 1, 50_000_000, { tree: 'nginx' }),
      running(902, 'nginx', 143, 20_000_000, { tree: 'nginx > nginx', state: 'running' }),
      running(30, 'vault', 0, 90_000_000, { command: '' }),
    ],
    'process',
  )
  await page.goto('/dashboard/process')
  const rows = page.getByRole('row', { name: /\w\[\d+\]/ })
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('nginx[902]')
  await expect(rows.first()).toContainText('143')
  await expect(page.getByRole('row', { name: /vault\[30\]/ })).toContainText('hidden')
  await page.getByRole('columnheader', { name: 'Memory' }).click()
  await expect(rows.first()).toContainText('vault[30]')

  await expectNoFindings(page, { shown: page.getByText('nginx[902]').first(), name: 'processes' })
  await page.setViewportSize({ width: 1440, height: 800 })

  await page.getByRole('row', { name: /nginx\[902\]/ }).focus()
  await page.keyboard.press('Shift+S')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('TERM')
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/processes-signal.png` })
  await page.keyboard.press('ControlOrMeta+Enter')
  const targets = [{ server_id: 1, name: '902@90200' }]
  await expect.poll(() => done).toEqual([['signal', { targets, signal: 'TERM' }]])
  await expect(dialog).toBeHidden()

  await page.getByRole('row', { name: /nginx\[902\]/ }).focus()
  await page.keyboard.press('Shift+K')
  const question = page.getByRole('alertdialog', { name: 'Kill' })
  await expect(question).toContainText('nginx[902]')
  await expect(question.getByRole('button', { name: 'Kill' })).toBeDisabled()
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/processes-kill.png` })
  await page.keyboard.press('ControlOrMeta+Enter')
  expect(done).toHaveLength(1)
  await question.getByRole('textbox').fill('nginx[902]')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => done.at(-1)).toEqual(['kill', { targets }])
})

test('ports of hosts say who can reach them', async ({ signedIn: page }) => {
  const listening = (address: string, port: number, program: string, pid: number | null) => ({
    ...{ name: `tcp/${address}:${port}`, protocol: 'tcp', address, port, program, pid },
  })
  await fakeHosts(
    page,
    () => [
      listening('127.0.0.1', 5432, 'postgres', 812),
      listening('0.0.0.0', 16379, 'redis-server', 813),
      listening('10.0.0.1', 22, '', null),
    ],
    'port',
  )
  await page.goto('/dashboard/port?q=port%3A16379')
  const rows = page.getByRole('row', { name: /tcp\// })
  await expect(rows).toHaveCount(1)
  // A port is no quantity: its digits aren’t grouped.
  await expect(rows.first()).toContainText(/16379.*all addresses.*redis-server/)
  await page.goto('/dashboard/port')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('this host only')
  await expectNoFindings(page, { shown: page.getByRole('gridcell').first(), name: 'ports' })
})
