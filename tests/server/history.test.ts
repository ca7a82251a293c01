import type { HistoryAnswer } from '@qd/core/schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const start = Date.parse('2026-11-20T12:00:00Z')
const clock = createFakeClock(start)
let world: World
let root: Browser
let agents: SimulatedAgent[]

/** Both agents report, and the server has it. */
async function report(cpu: number): Promise<void> {
  const { live } = world.server.container
  for (const [index, agent] of agents.entries()) {
    const before = live.versionOf(index + 1)
    agent.report({ cpu: cpu + index, mem_used: 1_048_576n, load1: 0.5, net_in_transfer: BigInt(cpu * 1024) })
    while (live.versionOf(index + 1) === before) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Reports every ten seconds for so long, 1 % more each time. */
async function pass(ms: number, cpu: number): Promise<void> {
  for (let at = 0; at < ms; at += 10 * second) {
    await report(cpu + at / (10 * second))
    await clock.advance(10 * second)
  }
}

const connect = async () => {
  agents = [await world.agent({ uuid: uuidOf(1) }), await world.agent({ uuid: uuidOf(2) })]
}

beforeAll(async () => {
  world = await createWorld({ clock })
  root = await world.login()
  await connect()
  await root.api('PATCH', 'server/1', { name: 'web-1' })
  await root.api('PATCH', 'server/2', { name: 'db-1', hide_for_guest: true })
  await clock.advance(30 * second)
  await pass(minute, 10)
})
afterAll(() => world.close())

interface Metrics {
  data_points: { ts: number; value: number }[] | null
}
const metrics = async (query: string, caller = root) =>
  ((await caller.api('GET', `server/1/metrics?${query}`)) as Metrics).data_points

describe('GET server/{id}/metrics', () => {
  test('answers the mean of each 30 s, beginning at their start', async () => {
    expect(await metrics('metric=cpu')).toEqual([
      { ts: start, value: 4 },
      { ts: start + 30 * second, value: 11 },
      { ts: start + 60 * second, value: 14 },
    ])
  })

  test('answers the last value of counters, and 0 where a machine has no sensors', async () => {
    expect((await metrics('metric=net_in_transfer'))!.at(-1)).toEqual({ ts: start + minute, value: 15 * 1024 })
    expect((await metrics('metric=temperature'))!.map(({ value }) => value)).toEqual([0, 0, 0])
  })

  test.each([
    ['7d', start],
    ['30d', start],
  ])('rolls %s up', async (period, ts) => {
    expect(await metrics(`metric=cpu&period=${period}`)).toEqual([{ ts, value: expect.closeTo(79 / 7, 2) }])
  })

  test('R-07 what was is there after a restart, the open step included', async () => {
    const before = await metrics('metric=cpu')
    await world.restart()
    root = await world.login()
    expect(await metrics('metric=cpu')).toEqual(before)
    await connect()
    await pass(10 * second, 99)
    expect((await metrics('metric=cpu'))!.slice(0, 2)).toEqual(before!.slice(0, 2))
  })
})

describe('GET history', () => {
  const history = async (query: string, caller = root) => (await caller.api('GET', `history?${query}`)) as HistoryAnswer

  test('answers several servers and metrics with mean, least, greatest and last', async () => {
    const range = `from=${start + 30 * second}&to=${start + 60 * second - 1}`
    const { step_ms, series } = await history(`servers=1,2&metric=cpu,load1&${range}&points=100`)
    expect(step_ms).toBe(30 * second)
    expect(series.map(({ server_id, metric, points }) => [server_id, metric, ...points])).toEqual([
      [1, 'cpu', [start + 30 * second, 11, 10, 12, 12]],
      [1, 'load1', [start + 30 * second, 0.5, 0.5, 0.5, 0.5]],
      [2, 'cpu', [start + 30 * second, 12, 11, 13, 13]],
      [2, 'load1', [start + 30 * second, 0.5, 0.5, 0.5, 0.5]],
    ])
  })

  test('answers no more points than asked for', async () => {
    const { step_ms, series } = await history(`servers=1&metric=cpu&from=${start - hour}&to=${start + hour}&points=2`)
    expect(step_ms).toBe(hour)
    expect(series[0]!.points).toHaveLength(1)
  })

  test.each([
    ['metric=cpu', 'servers is required'],
    [`servers=${Array.from({ length: 21 }, (_, index) => index + 1)}&metric=cpu`, 'at most 20 servers at once'],
    ['servers=1', 'invalid metric name'],
    ['servers=1&metric=cpu,constructor', 'invalid metric name'],
    ['servers=1&metric=cpu&points=-1', 'invalid points'],
    ['servers=1&metric=cpu&from=2&to=1', 'from must be before to'],
    ['servers=1&metric=cpu&from=1e300', 'invalid from'],
    ['servers=1,x&metric=cpu', 'invalid id "x"'],
    ['servers=99&metric=cpu', 'server not found'],
  ])('refuses ?%s', async (query, error) => {
    const answer = await root.send('GET', `/api/v1/history?${query}`)
    expect(answer.body.error).toBe(error)
  })

  test('S-33 hidden servers are for their owners, and guests have one day', async () => {
    const guest = world.guest()
    const { browser: alice } = await world.member('alice')
    const errorOf = async (caller: Browser, query: string) =>
      (await caller.send('GET', `/api/v1/history?metric=cpu&${query}`)).body.error
    expect(await errorOf(alice, 'servers=1,2')).toBe('unauthorized')
    expect(await errorOf(guest, 'servers=2')).toBe('unauthorized')
    expect(await errorOf(guest, `servers=1&from=${start - 48 * hour}`)).toBe(
      'unauthorized: only 1d data available for guests',
    )
    expect((await history('servers=1&metric=cpu', guest)).series[0]!.points.length).toBeGreaterThan(0)
    const { config } = (await root.api('GET', 'setting')) as { config: object }
    await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', force_auth: true })
    expect(await errorOf(guest, 'servers=1')).toBe('ApiErrorUnauthorized')
    await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', force_auth: false })
  })

  test('an API token needs the right to read servers, and has its own alone', async () => {
    const token = async (fields: object) =>
      ((await root.api('POST', 'api-tokens', { name: 't', ...fields })) as { token: string }).token
    const read = async (text: string) => {
      const headers = { Authorization: `Bearer ${text}` }
      return world.guest().send('GET', '/api/v1/history?servers=1&metric=cpu', { headers })
    }
    expect((await read(await token({ scopes: ['nezha:inventory:read'] }))).status).toBe(403)
    expect((await read(await token({ scopes: ['nezha:server:read'] }))).body.success).toBe(true)
    const limited = await token({ scopes: ['nezha:server:read'], server_ids: [2] })
    expect((await read(limited)).body.error).toBe('unauthorized')
  })
})

test('R-04 administrators see what history takes on the disk', async () => {
  const { history_bytes } = (await root.api('GET', 'setting')) as { history_bytes: number }
  expect(history_bytes).toBeGreaterThan(10_000)
  expect(await world.guest().api('GET', 'setting')).not.toHaveProperty('history_bytes')
})
