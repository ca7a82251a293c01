import AxeBuilder from '@axe-core/playwright'
import type { Page, Route } from '@playwright/test'
import { expect, test } from './console.ts'

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
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('textbox', { name: 'Hosts' }).fill('online')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/unit\?on=online/)
  await expect.poll(() => asked.at(-1)?.get('on')).toBe('online')

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 400]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByText('nginx.service').first()).toBeVisible()
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      if (process.env.QD_LOOK)
        await page.screenshot({ path: `${process.env.QD_LOOK}/units-${colorScheme}-${width}.png` })
    }
  await page.setViewportSize({ width: 1280, height: 800 })

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
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 400]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByText('migrate').first()).toBeVisible()
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
      if (process.env.QD_LOOK)
        await page.screenshot({ path: `${process.env.QD_LOOK}/containers-${colorScheme}-${width}.png` })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
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

test('hosts of which none answers are no empty list', async ({ signedIn: page }) => {
  await page.route('**/api/v1/host/unit**', (route) =>
    route.fulfill({ json: { success: true, data: { cursor: 1, hosts: [{ server_id: 1, state: 'not supported' }] } } }),
  )
  await page.goto('/dashboard/unit')
  await expect(page.getByRole('heading', { name: 'No host answered' })).toBeVisible()
  await expect(page.getByText(/not supported: /).first()).toBeVisible()
  if (process.env.QD_LOOK) await page.screenshot({ path: `${process.env.QD_LOOK}/units-none.png` })
})
