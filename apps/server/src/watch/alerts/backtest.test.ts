import type { RuleCondition } from '@qd/core/define'
import type { HostState } from '@qd/core/schemas'
import { expect, test } from 'vitest'
import { createTestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock } from '../../../../../tests/support/server/clock.ts'
import { addFigure, backtest, forSteps, metricsOf } from './backtest.ts'
import { createBacktest } from './backtest-run.ts'
import { readyConditions } from './conditions.ts'

const cpu: RuleCondition = { type: 'cpu', max: 90, duration: 10, cover: 0 }
const host = { mem_total: 1000 }

const of = (rules: RuleCondition[], states: readonly (HostState | null)[]) =>
  backtest(forSteps(readyConditions(rules)!), { host, steps: states.map((state) => ({ state })) })
const loads = (...values: (number | null)[]) => values.map((load) => (load === null ? null : { cpu: load }))

test.each<[string, number, (number | null)[], { from: number; to: number | null } | null]>([
  ['never above', 10, [1, 50, 90], null],
  ['above in one step is ten samples', 10, [1, 95, 1], { from: 1, to: 2 }],
  ['still above', 10, [1, 95, 95], { from: 1, to: null }],
  ['three samples are one step', 3, [95, 1], { from: 0, to: 1 }],
  ['twenty-one samples are three steps', 21, [95, 95, 1, 95, 95, 95, 1], { from: 5, to: 6 }],
  ['no data in between ends nothing', 10, [95, null, null, 95, 1], { from: 0, to: 4 }],
  ['twice is from the first to the last', 10, [95, 1, 95, 1], { from: 0, to: 3 }],
])('%s', (_name, duration, values, fired) => {
  expect(of([{ ...cpu, duration }], loads(...values)).fired).toEqual(fired)
})

test('offline needs every step of its window', () => {
  const rule = { type: 'offline', duration: 20, cover: 0 }
  expect(of([rule], loads(1, null, 1, null, null, 1)).fired).toEqual({ from: 4, to: 5 })
})

test('what runs on hosts is judged from its own history; without it there is no data', () => {
  const units = { type: 'units_failed', max: 0.5, duration: 40, cover: 0 }
  const conditions = forSteps(readyConditions([units])!)
  const steps = [0, 0, 1, 1, 1, 1, null].map((value) => ({
    state: { cpu: 1 },
    hosts: new Map(value === null ? [] : [['units_failed', value]]),
  }))
  expect(backtest(conditions, { host, steps })).toMatchObject({
    fired: { from: 4, to: null },
    points: [0, 0, 1, 1, 1, 1, null],
    known: 6,
    hasData: true,
  })
  expect(of([cpu, units], loads(95, 95))).toMatchObject({ fired: null, hasData: false, known: 0 })
})

test('says on which conditions it depends, and what the first measured', () => {
  const memory = { type: 'memory', max: 50, duration: 10, cover: 0 }
  const states = [{ cpu: 95, mem_used: 100 }, { cpu: 95, mem_used: 900 }, null]
  expect(of([cpu, memory], states)).toEqual({
    fired: { from: 1, to: null },
    without: [true, true],
    points: [95, 95, null],
    known: 2,
    hasData: true,
  })
  expect(of([cpu, { ...memory, max: 95 }], states)).toMatchObject({ fired: null, without: [false, true] })
})

test('of what a machine does not have there is no data', () => {
  const gpu = { type: 'gpu_max', max: 1, duration: 3, cover: 0 }
  expect(of([gpu], loads(1, 1))).toMatchObject({ fired: null, hasData: false })
})

test('each metric is judged from its own history', () => {
  for (const [type, value, state] of [
    ['net_all_speed', 30, { net_in_speed: 10, net_out_speed: 20 }],
    ['transfer_all', 30, { net_in_transfer: 10, net_out_transfer: 20 }],
    ['memory', 2, { memory: 20 }],
    ['temperature_max', 55, { temperature: 55 }],
    ['gpu', 40, { gpu: 40 }],
    ['tcp_conn_count', 7, { tcp_conn: 7 }],
    ['load15', 1.5, { load15: 1.5 }],
  ] as const) {
    const rule = (max: number) => [{ type, max, duration: 3, cover: 0 }]
    const conditions = readyConditions(rule(1))!
    expect(new Set(metricsOf(conditions))).toEqual(new Set(['cpu', ...Object.keys(state)]))
    const filled = Object.entries(state).reduce<HostState>(
      (all, [name, figure]) => addFigure(all, name as 'cpu', figure),
      {},
    )
    expect(of(rule(value - 1), [filled]).fired).toEqual({ from: 0, to: null })
    expect(of(rule(value), [filled]).fired).toBeNull()
  }
})

test('a server is judged since it is there, those of others are not looked at', async () => {
  const clock = createTestClock()
  const base = await createTestBase(clock)
  const [own, foreign] = [await base.addServer({ owner_id: base.member.id }), await base.addServer({ owner_id: 1 })]
  await clock.advance(60_000)
  const asked: number[][] = []
  const ask = createBacktest(base, {
    live: { hostOf: () => host },
    history: {
      lastHour: async (ids, metrics) => {
        asked.push([...ids])
        const start = clock.now() - 30_000
        return ids.flatMap((serverId) =>
          metrics.map((metric) => ({
            serverId,
            metric,
            points: [[start, 95, 0, 0, 0]] as [[number, number, number, number, number]],
          })),
        )
      },
    },
  })
  const offline = { type: 'offline', duration: 3, cover: 0 }
  const answer = await ask({ rules: [offline], ownerId: base.member.id, within: null, mayLookInto: true })
  expect(asked).toEqual([[own.id]])
  expect(answer).toMatchObject({
    servers: 1,
    with_data: 1,
    unknown: 0,
    step_ms: 30_000,
    fired: [
      {
        server_id: own.id,
        server_name: 'web-1',
        from: '2026-11-20T12:00:00.000Z',
        to: '2026-11-20T12:00:30.000Z',
        limit: null,
      },
    ],
  })
  expect(await ask({ rules: [cpu], ownerId: 1, within: [foreign.id], mayLookInto: true })).toMatchObject({
    servers: 1,
    fired: [{ server_id: foreign.id, limit: 90 }],
  })
  await clock.advance(60_000)
  const { unknown } = await ask({ rules: [cpu], ownerId: 1, within: [foreign.id], mayLookInto: true })
  // It's there for four steps, and history has one of them.
  expect(unknown).toBe(0.5)
  const units = { type: 'units_failed', max: 0.5, duration: 40, cover: 0 }
  const servers = async (mayLookInto: boolean, ownerId = 1) =>
    (await ask({ rules: [units], ownerId, within: null, mayLookInto })).servers
  expect(await Promise.all([servers(true), servers(false), servers(true, base.member.id)])).toEqual([2, 0, 1])
  await base.settings.put({ ...base.settings.get(), members_see_hosts: false })
  expect(await Promise.all([servers(true), servers(true, base.member.id)])).toEqual([2, 0])
  await base.close()
})
