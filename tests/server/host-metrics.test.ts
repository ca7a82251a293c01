import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { fakeContainers } from '../support/hosts/fake-containers.ts'
import { fakeMounts } from '../support/hosts/fake-mounts.ts'
import { fakeUpdates } from '../support/hosts/fake-updates.ts'
import { type LiveSocket, openSocket } from '../support/peers/live-socket.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
let folder: string
let built: Awaited<ReturnType<typeof buildAgent>>
let real: RealAgent

const id = () => world.server.container.servers.byUuid(uuidOf(1))!.id
const watched = async (browser: Browser) => {
  const rows = (await browser.api('GET', 'server')) as { id: number; watched?: Record<string, unknown> }[]
  return rows.find((row) => row.id === id())?.watched
}
const systemctl = `#!/bin/sh
[ "$2" = --property=Version ] || printf 'Id=a.service\\nLoadState=loaded\\nActiveState=failed\\n\\nId=b.service\\nLoadState=loaded\\nActiveState=active\\n'
`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-host-metrics-'))
  for (const [path, text] of Object.entries({
    ...fakeContainers,
    ...fakeMounts,
    ...fakeUpdates,
    'bin/systemctl': systemctl,
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), 0o755)
  }
  built = await buildAgent()
  world = await createWorld()
  root = await world.login()
  alice = await world.member('alice')
  const environment = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  real = startRealAgent({
    ...{ program: built.agent, port: world.port, secret: alice.secret, uuid: uuidOf(1), folder, environment },
  })
  const isThere = () => {
    const row = world.server.container.servers.byUuid(uuidOf(1))
    return row !== undefined && world.server.container.agents.connected(row.id)
  }
  await vi.waitUntil(isThere, 30_000)
}, 60_000)
afterAll(async () => {
  await real.stop()
  await world.close()
  built.close()
  rmSync(folder, { recursive: true, force: true })
})

test('while nobody asks, nothing is known; each metric is read by a real agent for who asks', async () => {
  expect(await watched(root)).toBeUndefined()
  const all = 'units_failed,containers_unhealthy,fs_used_max,fs_inodes_max,updates,updates_security,reboot_required'
  await expect
    .poll(async () => {
      await root.api('GET', `host/metrics?metric=${all}&wait=10000`)
      return watched(root)
    })
    .toMatchObject({ units_failed: 1, containers_unhealthy: 1, updates: 2, updates_security: 1, fullest: '/var' })
  expect(await watched(root)).toMatchObject({ fs_used_max: expect.any(Number), fs_inodes_max: expect.any(Number) })
})

test('a query over servers has hosts read for the words in it', async () => {
  const named = async (on: string) =>
    ((await root.api('GET', `host/unit?on=${encodeURIComponent(on)}`)) as { servers: number[] }).servers
  expect(await named('units_failed>0')).toEqual([id()])
  expect(await named('updates_security>=2')).toEqual([])
  const script = await createScript(world, root, { scopes: ['nezha:server:exec'] })
  const logs = (on: string) => script.send('POST', 'host/logs', { on, unit: 'a' })
  expect((await logs('units_failed>0')).body).toMatchObject({ code: 'forbidden' })
  expect((await logs('status:warning')).body).toMatchObject({ code: 'forbidden' })
  expect((await root.send('GET', '/api/v1/host/metrics?metric=cpu')).body).toMatchObject({ code: 'invalid' })
})

test('/metrics has them if asked, and never for a token that may not read hosts', async () => {
  const scrape = async (scopes: string[], query: string) => {
    const script = await createScript(world, root, { scopes })
    const answer = await fetch(`${world.origin}/metrics${query}`, {
      headers: { Authorization: `Bearer ${script.token}` },
    })
    return answer.text()
  }
  const both = ['nezha:inventory:read', 'nezha:server:read']
  expect(await scrape(both, '?host_metrics=all')).toMatch(
    /^quarterdeck_server_units_failed\{id="\d+",name="[^"]*"\} 1$/m,
  )
  expect(await scrape(both, '')).not.toContain('units_failed')
  expect(await scrape(['nezha:inventory:read'], '?host_metrics=all')).not.toContain('units_failed')
})

const history = async (browser: Browser, metric: string) => {
  const answer = (await browser.api('GET', `history?servers=${id()}&metric=${metric}`)) as {
    series: { metric: string; points: number[][] }[]
  }
  return answer.series.map((one) => [one.metric, one.points.at(-1)?.[4] ?? null])
}

test('what was read for who asked is in history, and in the back-test of a rule', async () => {
  const all = 'units_failed,updates,fs_used:/var,unit_down:nginx'
  expect(await history(root, all)).toEqual([
    ['units_failed', 1],
    ['updates', 2],
    ['fs_used:/var', expect.any(Number)],
    ['unit_down:nginx', null],
  ])
  const rules = [{ type: 'units_failed', max: 0.5, duration: 40, cover: 0 }]
  const tested = () => root.api('POST', 'alert-rule/backtest', { rules })
  await expect.poll(tested, { timeout: 60_000 }).toMatchObject({ servers: 1, with_data: 1 })
  expect((await root.send('GET', `/api/v1/history?servers=${id()}&metric=fs_used:var`)).body).toMatchObject({
    code: 'invalid',
  })
})

test('a rule about containers has them read, of docker and podman', async () => {
  const down = ['app', 'migrate', 'worker', 'gone'].map((name) => `container_down:${name}`)
  expect(await history(root, down.join(','))).toEqual(down.map((name) => [name, null]))
  const rules = down.map((type) => ({ type, duration: 40, cover: 0 }))
  await root.api('POST', 'alert-rule', { name: 'containers', enable: true, trigger_mode: 1, rules })
  await expect
    .poll(() => history(root, down.join(',')))
    .toEqual([
      ['container_down:app', 1],
      ['container_down:migrate', 1],
      ['container_down:worker', 0],
      ['container_down:gone', 1],
    ])
})

test('visitors never see them, members only while the setting allows it; lists and tokens alike', async () => {
  expect(await watched(alice.browser)).toMatchObject({ units_failed: 1 })
  expect(await history(alice.browser, 'units_failed')).toEqual([['units_failed', 1]])
  const names = async (browser: Browser) => (await history(browser, 'cpu,units_failed')).map(([name]) => name)
  expect(await names(world.guest())).toEqual(['cpu'])
  const bob = await world.member('bob')
  expect(await names(bob.browser)).toEqual(['cpu'])
  expect(JSON.stringify((await world.guest().send('GET', '/api/v1/server')).body)).not.toContain('units_failed')
  const script = await createScript(world, root, { scopes: ['nezha:inventory:read'] })
  expect(JSON.stringify((await script.send('GET', 'server')).body)).not.toContain('units_failed')
  const { settings } = world.server.container
  await settings.put({ ...settings.get(), members_see_hosts: false })
  expect(await watched(alice.browser)).toBeUndefined()
  expect((await alice.browser.send('GET', '/api/v1/host/metrics?metric=updates')).body).toMatchObject({
    code: 'forbidden',
  })
  expect(await names(alice.browser)).toEqual(['cpu'])
  const rules = [{ type: 'units_failed', max: 0.5, duration: 40, cover: 0 }]
  expect(await alice.browser.api('POST', 'alert-rule/backtest', { rules })).toMatchObject({ servers: 0 })
  expect(await watched(root)).toMatchObject({ units_failed: 1 })
  await settings.put({ ...settings.get(), members_see_hosts: true })
  expect(await watched(alice.browser)).toMatchObject({ units_failed: 1 })
})

test('the live feed has them, and shows and hides them as soon as the setting changes', async () => {
  const { settings } = world.server.container
  const feed = await openSocket(world, { browser: alice.browser, protocols: ['quarterdeck.live.v1'] })
  const admin = await openSocket(world, { browser: root, protocols: ['quarterdeck.live.v1'] })
  /** The next row of the server, and whether it came with a full list. */
  const next = async (socket: LiveSocket) => {
    for (;;) {
      const { servers = [], reset } = (await socket.frame()) as {
        servers?: { id: number; watched?: object }[]
        reset?: boolean
      }
      const row = servers.find((one) => one.id === id())
      if (row) return { reset: reset === true, watched: row.watched }
    }
  }
  const shown = { watched: expect.objectContaining({ units_failed: 1, fullest: '/var' }) }
  expect(await next(feed)).toMatchObject(shown)
  const visitor = await openSocket(world, { protocols: ['quarterdeck.live.v1'] })
  expect(await next(visitor)).toMatchObject({ watched: undefined })
  await settings.put({ ...settings.get(), members_see_hosts: false })
  const hidden = await next(feed)
  expect(hidden.watched ?? {}).toEqual({})
  expect(hidden.reset).toBe(true)
  expect(await next(admin)).toMatchObject(shown)
  await settings.put({ ...settings.get(), members_see_hosts: true })
  expect(await next(feed)).toMatchObject({ reset: true, ...shown })
  for (const socket of [feed, admin, visitor]) socket.close()
})
