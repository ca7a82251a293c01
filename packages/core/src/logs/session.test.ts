import { expect, test } from 'vitest'
import type { SocketHandlers } from '../api/index.ts'
import { AppError } from '../errors.ts'
import { createLogSession, type LogHost, type LogLine, type LogQuery, type LogState } from './session.ts'

const usual: LogQuery = {
  ...{ on: 'group:web', unit: 'nginx', container: '', file: '' },
  ...{ since: null, lines: null, follow: true, grep: '' },
}

/** A clock and sockets that stand still until the test moves them. */
function start(query: Partial<LogQuery> = {}, refusal: AppError | null = null) {
  let now = 1000
  const timers = new Set<{ at: number; run(): void }>()
  const sockets: (SocketHandlers & { url: string; isClosed: boolean; isHeld: boolean })[] = []
  const calls: { body?: unknown }[] = []
  const lines: LogLine[] = []
  const states: LogState[] = []
  const seen = { left: 0, hosts: [] as readonly LogHost[] }
  const session = createLogSession({
    query: { ...usual, ...query },
    api: {
      async send(call) {
        calls.push(call)
        if (refusal) throw refusal
        const hosts = [1, 2].map((id) => ({ server_id: id, name: `web-${id}` }))
        return { session_id: `s${calls.length}`, hosts }
      },
    },
    ports: {
      now: () => now,
      random: () => 1,
      setTimer(run, ms) {
        const timer = { at: now + ms, run }
        timers.add(timer)
        return () => timers.delete(timer)
      },
      openSocket({ url }, handlers) {
        const socket = { ...handlers, url, isClosed: false, isHeld: false }
        sockets.push(socket)
        return {
          send: () => undefined,
          close: () => {
            socket.isClosed = true
          },
          flow: (isOn) => {
            socket.isHeld = !isOn
          },
        }
      },
    },
    baseUrl: 'https://fleet',
    onLines(more, left) {
      lines.push(...more)
      seen.left += left
    },
    onHosts: (hosts) => {
      seen.hosts = hosts
    },
    onState: (state) => states.push(state),
  })
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await null
  }
  session.start()
  return {
    ...{ session, sockets, calls, lines, states, seen, settle },
    say: (message: object) => sockets.at(-1)!.message(JSON.stringify(message)),
    texts: () => lines.map(({ server, text }) => `${server} ${text}`),
    async pass(ms: number) {
      now += ms
      for (const timer of [...timers]) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.run()
      }
      await settle()
    },
  }
}

const entry = (at: number, text: string) => ({ at, unit: '', name: '', pid: 0, level: 6, text })

test('a reading is opened by one call; lines that come together are put in order', async () => {
  const { settle, sockets, calls, say, pass, texts, states, seen } = start()
  await settle()
  expect(calls).toEqual([
    {
      method: 'POST',
      path: 'host/logs',
      body: { on: 'group:web', unit: 'nginx', container: '', file: '', since: null, follow: true, grep: '' },
      changesNothing: true,
    },
  ])
  expect(sockets[0]!.url).toBe('wss://fleet/api/v1/ws/logs/s1')
  sockets[0]!.open('')
  say({ server_id: 1, entries: [entry(30, 'c'), entry(10, 'a')], left: 2 })
  say({ server_id: 2, entries: [entry(20, 'b')], left: 0 })
  expect(texts()).toEqual([])
  await pass(200)
  expect(texts()).toEqual(['web-1 a', 'web-2 b', 'web-1 c'])
  expect(seen.left).toBe(2)
  expect(states.map(({ status }) => status)).toEqual(['opening', 'live'])
})

test('states of hosts are told, and what no host of the reading says is dropped', async () => {
  const { settle, say, pass, texts, seen } = start()
  await settle()
  say({ server_id: 1, state: 'failed', error: 'no' })
  say({ server_id: 9, state: 'read' })
  say({ server_id: 9, entries: [entry(1, 'x')], left: 0 })
  say({ server_id: 1, state: 'unheard of' })
  await pass(200)
  expect(seen.hosts.map(({ state, error }) => [state, error])).toEqual([
    ['failed', 'no'],
    ['pending', ''],
  ])
  expect(texts()).toEqual([])
})

test('a host that can’t filter is filtered here, without regard to case unless there are capitals', async () => {
  const { settle, say, pass, texts } = start({ grep: 'err.r' })
  await settle()
  say({ server_id: 1, state: 'read', source: 'files', filtered: false })
  say({ server_id: 2, state: 'read', source: 'journal', filtered: true })
  for (const id of [1, 2]) say({ server_id: id, entries: [entry(id, 'ERROR'), entry(id, 'fine')], left: 0 })
  await pass(200)
  expect(texts()).toEqual(['web-1 ERROR', 'web-2 ERROR', 'web-2 fine'])
})

test('a followed reading that is lost goes on from its last lines, and none comes twice', async () => {
  const { settle, sockets, calls, say, pass, texts, states } = start({ lines: 5 })
  await settle()
  say({ server_id: 1, entries: [entry(100, 'a')], left: 0 })
  say({ server_id: 2, entries: [entry(50, 'b')], left: 0 })
  sockets[0]!.close(1006, '')
  expect(states.at(-1)!.status).toBe('lost')
  await pass(60_000)
  expect(calls[1]!.body).toMatchObject({ on: 'group:web', unit: 'nginx', since: 51, follow: true, grep: '' })
  say({ server_id: 1, entries: [entry(100, 'a'), entry(101, 'c')], left: 0 })
  await pass(200)
  expect(texts()).toEqual(['web-2 b', 'web-1 a', 'web-1 c'])
})

test('its end, a refusal, and closing end it', async () => {
  const ended = start({ follow: false })
  await ended.settle()
  ended.say({ server_id: 1, entries: [entry(1, 'last')], left: 0 })
  ended.sockets[0]!.close(4000, 'ended')
  expect(ended.texts()).toEqual(['web-1 last'])
  expect(ended.states.at(-1)).toEqual({ status: 'ended', reason: 'ended' })
  const refused = start({}, new AppError('forbidden'))
  await refused.settle()
  expect(refused.states.at(-1)).toMatchObject({ status: 'refused', error: { code: 'forbidden' } })
  const closed = start()
  await closed.settle()
  closed.session.flow(false)
  expect(closed.sockets[0]!.isHeld).toBe(true)
  closed.session.close()
  expect(closed.sockets[0]!.isClosed).toBe(true)
  closed.say({ server_id: 1, entries: [entry(1, 'late')], left: 0 })
  await closed.pass(200)
  expect(closed.texts()).toEqual([])
})
