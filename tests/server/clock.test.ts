import { isOnline } from '@qd/core/resources'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'

const hourMs = 3_600_000
const clock = createFakeClock(Date.parse('2026-11-20T12:59:30Z'))
let world: World
let root: Browser
let agent: SimulatedAgent

beforeAll(async () => {
  world = await createWorld({ clock })
  root = await world.login()
  agent = await world.agent({ onCommand: () => ({ data: 'ok\n', successful: true }) })
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', time_zone: 'UTC' })
  const hourly = { name: 'hourly', task_type: 0, scheduler: '0 0 * * * *', command: 'id', cover: 0, servers: [1] }
  await root.api('POST', 'cron', hourly)
})
afterAll(() => world.close())

/** When the task was run, as hours and minutes. */
async function runs(): Promise<string[]> {
  const { value = [] } = (await root.api('GET', 'run')) as { value?: { created_at: string }[] }
  return value.map(({ created_at }) => created_at.slice(11, 16)).reverse()
}

async function isServerOnline(): Promise<boolean> {
  const [server] = (await root.api('GET', 'server')) as { last_active: string }[]
  return isOnline(server!, clock.now())
}

async function reported(): Promise<void> {
  const { live } = world.server.container
  agent.report()
  await expect.poll(() => live.lastActive(1)).toBe(clock.now())
}

const isSignedIn = async () => (await root.send('GET', '/api/v1/profile')).body.success === true

describe('R-08 the clock of the machine is set', () => {
  test('before it: the task runs at its hour', async () => {
    await clock.advance(60_000)
    expect(await runs()).toEqual(['13:00'])
  })

  test('back by an hour: signed in, online, and what has run does not run again', async () => {
    await reported()
    clock.set(clock.now() - hourMs)
    expect([await isSignedIn(), await isServerOnline()]).toEqual([true, true])
    expect((await world.login()).cookies.has('nz-jwt')).toBe(true)
    await reported()
    expect(await isServerOnline()).toBe(true)
    await clock.advance(hourMs)
    expect(await runs()).toEqual(['13:00'])
    await clock.advance(hourMs)
    expect(await runs()).toEqual(['13:00', '14:00'])
  })

  test('forward by a day: signed in, offline until the next report, and missed runs are not made up for', async () => {
    await reported()
    clock.set(clock.now() + 24 * hourMs)
    expect([await isSignedIn(), await isServerOnline()]).toEqual([true, false])
    await reported()
    expect(await isServerOnline()).toBe(true)
    await clock.advance(60_000)
    expect(await runs()).toEqual(['13:00', '14:00'])
    await clock.advance(hourMs)
    expect(await runs()).toEqual(['13:00', '14:00', '15:00'])
  })
})

describe('R-15 a clock that is wrong for a while', () => {
  const past = async () => {
    const { events, history } = world.server.container
    const list = await events.list(1, { before: null, limit: 100 })
    const span = { from: begun, to: begun + 48 * hourMs, stepMs: 300_000 }
    const { series } = await history.points({ servers: [1], metrics: ['cpu'], ...span })
    return { runs: await runs(), events: list.map(({ id }) => id), points: series[0]!.points.map(([at]) => at) }
  }
  const begun = Date.parse('2026-11-20T12:00:00Z')
  const yearMs = 365 * 24 * hourMs

  test('forward by ten years: nothing of the past is removed, and the operator is told', async () => {
    const before = await past()
    expect(before.runs).toEqual(['13:00', '14:00', '15:00'])
    clock.set(clock.now() + 10 * yearMs)
    await clock.advance(hourMs + 120_000)
    clock.set(clock.now() - 10 * yearMs)
    await clock.advance(60_000)
    const after = await past()
    expect(before.points.length).toBeGreaterThan(0)
    for (const kind of ['runs', 'events', 'points'] as const)
      expect(after[kind]).toEqual(expect.arrayContaining<string | number>(before[kind]))
    expect(world.log.join(' ')).toMatch(/the clock was set forward by 3650 d.*the clock was set back by 3650 d/s)
  })
})
