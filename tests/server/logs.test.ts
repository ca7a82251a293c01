import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IOStreamData, Task } from '@qd/protocol/agent'
import { agentNews } from '@qd/protocol/task-types'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { isAlive } from '../agent/processes.ts'
import { startTestAgent } from '../agent/world.ts'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

interface Message {
  server_id: number
  state?: string
  source?: string
  error?: string
  ended?: boolean
  entries?: { at: number; unit: string; name: string; text: string }[]
  left?: number
}

let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>
let folder: string
let agents: ReturnType<typeof startTestAgent>[]
let hostile: SimulatedAgent

const idOf = (n: number) => world.server.container.servers.byUuid(uuidOf(n))!.id
const startAgent = (n: number, isWatchOnly = false) =>
  startTestAgent(world, { isWatchOnly, config: { client_secret: siteSecret, uuid: uuidOf(n) } })
/** The `journalctl` of the hosts. */
const install = (script: string) => {
  writeFileSync(join(folder, 'next'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'next'), 0o755)
  rmSync(join(folder, 'journalctl'), { force: true })
  writeFileSync(join(folder, 'journalctl'), `#!/bin/sh\nexec '${folder}/next' "$@"\n`)
  chmodSync(join(folder, 'journalctl'), 0o755)
}
const line = (MESSAGE: string, at = 1795704844081) =>
  JSON.stringify({ __REALTIME_TIMESTAMP: String(at * 1000), MESSAGE, SYSLOG_IDENTIFIER: 'nginx' })

const open = async (browser: Browser, body: object) =>
  (await browser.send('POST', '/api/v1/host/logs', { body })).body as {
    code?: string
    problems?: { field: string; code: string }[]
    data?: { session_id: string; hosts: { server_id: number; name: string }[] }
  }

/** Opens a reading, and collects what it says. */
async function read(body: object, browser = root) {
  const { data } = await open(browser, body)
  const socket = await openStreamSocket(world, data!.session_id, { browser, kind: 'logs' })
  const messages: Message[] = []
  const collect = async () => {
    for (;;) {
      const event = await socket.take(({ event }) => event !== 'ping', 2 ** 30)
      if (event.event === 'data') messages.push(JSON.parse(String(event.bytes)) as Message)
      else if (event.event === 'close') return { code: event.code, reason: event.reason }
    }
  }
  const closed = collect()
  return {
    socket,
    closed,
    messages,
    textsOf: (n: number) =>
      messages
        .flatMap(({ server_id, entries }) => (server_id === idOf(n) ? (entries ?? []) : []))
        .map(({ text }) => text),
    stateOf: (n: number) => messages.findLast(({ server_id, state }) => server_id === idOf(n) && state)?.state,
    left: () => messages.reduce((sum, { left = 0 }) => sum + left, 0),
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-logs-'))
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  world = await createWorld()
  root = await world.login()
  alice = await world.member('alice')
  agents = [startAgent(1), startAgent(2, true)]
  const { servers, agents: hub } = world.server.container
  for (const n of [1, 2]) await vi.waitUntil(() => hub.connected(servers.byUuid(uuidOf(n))?.id ?? 0), 30_000)
  await world.agent({ uuid: uuidOf(3), secret: alice.secret, host: { version: '1.8.0' } })
  hostile = await world.agent({ uuid: uuidOf(4), host: { version: '2.3.3+qd.0.1.0' } })
  hostile.answer(Task.create({ id: 0n, type: agentNews.collectors }), { data: '["logs"]', successful: false })
}, 60_000)
afterEach(() => vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000))
afterAll(async () => {
  for (const agent of agents) await agent.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

const two = () => `#${idOf(1)} or #${idOf(2)}`

test('several hosts come in one stream, a watch-only one too, and their programs end with it', async () => {
  install(`echo "$@" > '${folder}/args'; echo $$ > "${folder}/pid-$PPID"; echo '${line('GET / 502')}'; exec sleep 1000`)
  const reading = await read({ on: two(), unit: 'nginx', follow: true, grep: '5..', lines: 20 })
  await expect.poll(() => [reading.textsOf(1), reading.textsOf(2)]).toEqual([['GET / 502'], ['GET / 502']])
  expect([reading.stateOf(1), reading.stateOf(2)]).toEqual(['read', 'read'])
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/--follow --lines=20 --unit=nginx --grep=5\.\.\n$/)
  const pid = Number(readFileSync(join(folder, `pid-${process.pid}`), 'utf8'))
  expect(isAlive(pid)).toBe(true)
  reading.socket.leave()
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000)
  const entries = (await root.api('GET', 'audit')) as { action: string; target: string }[] | { items: object[] }
  expect(JSON.stringify(entries).match(/"logs open"/g)).toHaveLength(1)
})

test('without follow a reading ends when each host has said all, or why it can’t', async () => {
  install(`echo '${line('one')}'`)
  const { closed, messages, textsOf, stateOf } = await read({ on: `${two()} or #${idOf(3)}` })
  expect(await closed).toEqual({ code: 4000, reason: 'ended' })
  expect([textsOf(1), textsOf(2), stateOf(3)]).toEqual([['one'], ['one'], 'not supported'])
  expect(messages.filter(({ ended }) => ended)).toHaveLength(2)
  install('echo "Bad pattern" >&2; exit 1')
  const bad = await read({ on: `#${idOf(1)}`, grep: '(' })
  await bad.closed
  expect(bad.messages.at(-1)).toEqual({ server_id: idOf(1), state: 'failed', error: 'Bad pattern' })
})

test('rights: the scope to run commands, own servers, the setting, and only the user’s own reading', async () => {
  install('exit 0')
  expect((await open(world.guest(), {})).code).toBe('unauthorized')
  expect((await open(alice.browser, {})).data?.hosts.map(({ server_id }) => server_id)).toEqual([idOf(3)])
  const ask = async (scopes: string[]) => {
    const script = await createScript(world, root, { scopes })
    return (await script.send('POST', 'host/logs', {})).body as { code?: string; data?: object }
  }
  expect(await ask(['nezha:server:read'])).toMatchObject({ code: 'tokenForbidden' })
  expect((await ask(['nezha:server:read', 'nezha:server:exec'])).data).toBeDefined()
  const { data } = await open(root, { on: `#${idOf(1)}` })
  const foreign = await openStreamSocket(world, data!.session_id, { browser: alice.browser, kind: 'logs' })
  expect(await foreign.closed()).toEqual({ code: 4004, reason: 'unknown' })
  const { settings } = world.server.container
  await settings.put({ ...settings.get(), members_see_hosts: false })
  expect((await open(alice.browser, {})).code).toBe('forbidden')
  await settings.put({ ...settings.get(), members_see_hosts: true })
  const own = await openStreamSocket(world, data!.session_id, { browser: root, kind: 'logs' })
  expect(await own.closed()).toEqual({ code: 4000, reason: 'ended' })
})

test('a wrong request is refused, and names what is wrong', async () => {
  const problemOf = async (body: object) => (await open(root, body)).problems?.[0]
  expect(await problemOf({ lines: 5001 })).toMatchObject({ field: 'lines' })
  expect(await problemOf({ unit: 'a\nb' })).toMatchObject({ field: 'unit' })
  expect(await problemOf({ on: 'cpu>' })).toMatchObject({ field: 'on' })
  expect(await problemOf({ on: 7 })).toMatchObject({ field: 'on' })
})

test('a hostile agent can’t change how lines look, nor send what is none', async () => {
  const reading = await read({ on: `#${idOf(4)}` })
  const call = hostile.attach(await hostile.nextTask())
  const say = (value: unknown) => {
    const data = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    call.send(IOStreamData.encode({ data }).finish())
  }
  say({ source: 'journal', filtered: true })
  say({
    entries: [
      {
        at: -1,
        name: 'a\u202eb'.repeat(200),
        pid: 'x',
        level: 9,
        text: `\u001b[31mre\u0007d\u001b[0m\rx${'y'.repeat(9000)}`,
      },
    ],
    left: 0,
  })
  await expect.poll(() => reading.textsOf(4)).toHaveLength(1)
  const [entry] = reading.messages.find(({ entries }) => entries)!.entries!
  expect(entry).toMatchObject({ at: 0, pid: 0, level: 6, unit: '' })
  expect(entry!.text).toMatch(/^re\u2407d\nxy+$/)
  expect(entry!.text.length).toBeLessThanOrEqual(8192)
  expect(entry!.name).not.toContain('\u202e')
  say('no JSON')
  expect(await reading.closed).toEqual({ code: 4000, reason: 'ended' })
  expect(reading.stateOf(4)).toBe('failed')
})

test('a flood costs nobody anything: a reader that takes nothing is waited for, and learns what is missing', async () => {
  install(`yes '${line('x'.repeat(1000))}' | head -n 300000; touch '${folder}/printed'; exec sleep 1000`)
  const reading = await read({ on: two(), follow: true, lines: 5000 })
  reading.socket.ws.pause()
  const before = process.memoryUsage.rss()
  await expect.poll(() => existsSync(join(folder, 'printed')), { timeout: 60_000 }).toBe(true)
  const asked = performance.now()
  await root.api('GET', 'server')
  expect(performance.now() - asked).toBeLessThan(2_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 2 ** 20)
  reading.socket.ws.resume()
  const total = () => reading.left() + reading.textsOf(1).length + reading.textsOf(2).length
  await expect.poll(total, { timeout: 60_000 }).toBe(600_000)
  expect(reading.left()).toBeGreaterThan(500_000)
  reading.socket.leave()
}, 120_000)

test('a host that comes back is followed from its last line', async () => {
  install(
    `echo "$@" >> '${folder}/again'; [ -e '${folder}/later' ] && echo '${line('second', 1795704845000)}'; touch '${folder}/later'; echo '${line('first', 1795704844081)}'; exec sleep 1000`,
  )
  const reading = await read({ on: `#${idOf(1)}`, follow: true, unit: 'nginx' })
  await expect.poll(() => reading.textsOf(1)).toEqual(['first'])
  await agents[0]!.stop()
  await expect.poll(() => reading.stateOf(1), { timeout: 10_000 }).toBe('offline')
  agents[0] = startAgent(1)
  await expect.poll(() => reading.textsOf(1), { timeout: 20_000 }).toEqual(['first', 'second'])
  expect(readFileSync(join(folder, 'again'), 'utf8').split('\n')[1]).toContain('--follow --lines=5000 --unit=nginx')
  reading.socket.leave()
}, 40_000)

test('a followed stream that is cut while its agent is connected is asked for again', async () => {
  const reading = await read({ on: `#${idOf(4)}`, follow: true })
  const first = hostile.attach(await hostile.nextTask())
  const frame = { entries: [{ at: 5000, text: 'first' }], left: 0 }
  first.send(IOStreamData.encode({ data: Buffer.from(JSON.stringify(frame)) }).finish())
  await expect.poll(() => reading.textsOf(4)).toEqual(['first'])
  first.halfClose()
  const again = await hostile.nextTask()
  expect(JSON.parse(again.data)).toMatchObject({ since: 5001, follow: true })
  expect(reading.stateOf(4)).toBe('pending')
  reading.socket.leave()
})

test('at most 20 hosts and 5 readings at once', async () => {
  const bob = await world.member('bob')
  for (let n = 0; n < 5; n += 1) expect((await open(bob.browser, {})).data).toBeDefined()
  expect(await open(bob.browser, {})).toMatchObject({ code: 'blocked' })
  for (let n = 10; n < 27; n += 1) await world.agent({ uuid: uuidOf(n) })
  expect((await open(root, {})).problems).toMatchObject([{ field: 'on', code: 'tooManyItems' }])
}, 60_000)
