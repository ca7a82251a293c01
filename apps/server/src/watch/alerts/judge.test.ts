import type { RuleCondition } from '@qd/core/define'
import type { Host, HostState } from '@qd/core/schemas'
import { describe, expect, test } from 'vitest'
import { readyConditions, type TransferredSince, watches } from './conditions.ts'
import { addSample, createMemory, createWindow, isFailing, judge, readingOf } from './judge.ts'

const host: Host = { mem_total: 1000, disk_total: 2000 }
const nothing: TransferredSince = () => null

/** Feeds samples, three seconds apart; a state of null is a server without a stream. Returns the verdicts. */
function verdicts(
  rules: readonly (RuleCondition | null)[],
  states: readonly (HostState | null)[],
  { machine = host, transferred = nothing }: { machine?: Host; transferred?: TransferredSince } = {},
) {
  const conditions = readyConditions(rules)
  if (!conditions) return 'never'
  const memory = createMemory(conditions)
  return states
    .map((state, index) => {
      const now = 1_000_000 + index * 3000
      const sample = { host: machine, state: state ?? {}, lastActive: state ? now : null }
      return judge(conditions, memory, sample, { now, transferred })[0]
    })
    .join('')
}

const rule = (fields: Partial<RuleCondition>): RuleCondition => ({ type: 'cpu', duration: 3, cover: 0, ...fields })
const thrice = <T>(value: T) => [value, value, value]

describe('each type fails beyond its limit and passes at it', () => {
  test.each<[string, HostState, number]>([
    ['cpu', { cpu: 50 }, 50],
    ['gpu_max', { gpu: [10, 60] }, 60],
    ['gpu', { gpu: [10, 60] }, 60],
    ['memory', { mem_used: 250 }, 25],
    ['swap', { swap_used: 30 }, 30],
    ['disk', { disk_used: 500 }, 25],
    ['net_in_speed', { net_in_speed: 70, net_out_speed: 1 }, 70],
    ['net_out_speed', { net_in_speed: 1, net_out_speed: 70 }, 70],
    ['net_all_speed', { net_in_speed: 1000, net_out_speed: 10 }, 1010],
    ['transfer_in', { net_in_transfer: 7, net_out_transfer: 1 }, 7],
    ['transfer_out', { net_in_transfer: 1, net_out_transfer: 7 }, 7],
    ['transfer_all', { net_in_transfer: 2, net_out_transfer: 7 }, 9],
    ['load1', { load_1: 1.5 }, 1.5],
    ['load5', { load_5: 1.5 }, 1.5],
    ['load15', { load_15: 1.5 }, 1.5],
    ['tcp_conn_count', { tcp_conn_count: 12 }, 12],
    ['udp_conn_count', { udp_conn_count: 12 }, 12],
    ['process_count', { process_count: 12 }, 12],
    [
      'temperature_max',
      {
        temperatures: [
          { Name: 'a', Temperature: 0 },
          { Name: 'b', Temperature: 55 },
        ],
      },
      55,
    ],
  ])('%s is what its type says', (type, state, value) => {
    const machine = { ...host, swap_total: 100 }
    const of = (limits: Partial<RuleCondition>) => verdicts([rule({ type, ...limits })], thrice(state), { machine })
    expect(of({ max: value - 0.5 })).toBe('uuf')
    expect(of({ max: value })).toBe('uup')
    expect(of({ min: value + 0.5 })).toBe('uuf')
    expect(of({ min: value })).toBe('uup')
  })

  test.each<[string, HostState]>([
    ['gpu_max', {}],
    ['gpu_max', { gpu: [] }],
    ['temperature_max', {}],
    ['temperature_max', { temperatures: [{ Name: 'a', Temperature: 0 }] }],
    ['swap', { swap_used: 0 }],
  ])('%s of %j is no data: neither bad nor good', (type, state) => {
    for (const limits of [{ max: 1 }, { min: 1 }])
      expect(verdicts([rule({ type, ...limits })], [...thrice(state), ...thrice(state)])).toBe('uuuuuu')
  })

  test.each([
    ['cpu', 'cpu'],
    ['memory', 'memory'],
    ['load15', 'load'],
    ['net_all_speed', 'network'],
    ['tcp_conn_count', 'connections'],
    ['process_count', 'processes'],
  ])('issue 36.1: %s of an agent that can’t measure its %s is no data', (type, part) => {
    const machine = { ...host, unmeasured: [part] }
    expect(verdicts([rule({ type, min: 1 })], thrice({}), { machine })).toBe('uuu')
    expect(verdicts([rule({ type, min: 1 })], thrice({}))).toBe('uuf')
  })

  test('memory of a machine that has not told of its size is no data', () => {
    expect(verdicts([rule({ type: 'memory', min: 1 })], thrice({ mem_used: 1 }), { machine: {} })).toBe('uuu')
  })
})

describe('windows', () => {
  const bad = { cpu: 99 }
  const good = { cpu: 1 }

  test.each([
    [3, 3],
    [4, 3],
    [5, 4],
    [7, 5],
    [8, 6],
    [10, 8],
    [12, 9],
    [15, 11],
    [20, 15],
  ])('of %i samples %i must fail', (duration, needed) => {
    const last = (failed: number) =>
      verdicts(
        [rule({ max: 90, duration })],
        [...Array<HostState>(duration - failed).fill(good), ...Array<HostState>(failed).fill(bad)],
      ).at(-1)
    expect(last(needed)).toBe('f')
    expect(last(needed - 1)).toBe('p')
  })

  test('slide: the third bad sample fires, the first good one recovers', () => {
    expect(verdicts([rule({ max: 90 })], [bad, bad, bad, bad, good, good, bad, bad, bad])).toBe('uuffppppf')
  })

  test('of every size hold exactly their newest samples', () => {
    for (const size of [3, 8, 9, 100]) {
      const window = createWindow(size)
      const samples = Array.from({ length: size * 5 }, (_, index) => (index * 7919) % 5 < 2)
      samples.forEach((failed, index) => {
        addSample(window, failed)
        const newest = samples.slice(Math.max(0, index + 1 - size), index + 1)
        expect(window.failed).toBe(newest.filter(Boolean).length)
      })
    }
  })

  test('S-50 remember nothing of a server that is well, whatever their size', () => {
    const window = createWindow(28_800)
    for (let n = 0; n < 40_000; n += 1) addSample(window, n < 100)
    expect(window).toMatchObject({ count: 28_800, failed: 0, bits: null })
    expect(isFailing(window)).toBe(false)
  })

  test('an unreachable server has no data: what was true stays open, old samples do not count after a gap as long as the window', () => {
    expect(verdicts([rule({ max: 90 })], [bad, bad, null, bad])).toBe('uuuf')
    expect(verdicts([rule({ max: 90 })], [bad, bad, null, null, null, bad, bad, bad])).toBe('uuuuuuuf')
  })
})

describe('offline', () => {
  test('fails when all samples of the window do, at once after the stream ended', () => {
    const up = { cpu: 1 }
    expect(verdicts([rule({ type: 'offline' })], [up, null, null, null, null, up])).toBe('uupffp')
  })

  test('counts from 6 s after the last report of a stream that stays open', () => {
    const conditions = readyConditions([rule({ type: 'offline' })])!
    const memory = createMemory(conditions)
    const at = (seconds: number) =>
      judge(conditions, memory, { host, state: {}, lastActive: 0 }, { now: seconds * 1000, transferred: nothing })
    expect([3, 6, 9, 12, 15, 18].map(at)).toEqual(['unknown', 'unknown', 'passing', 'passing', 'failing', 'failing'])
  })

  test('is not hidden by reports from before the clock was set back', () => {
    const conditions = readyConditions([rule({ type: 'offline' })])!
    const memory = createMemory(conditions)
    const at = (now: number) =>
      judge(conditions, memory, { host, state: {}, lastActive: 9_000_000 }, { now, transferred: nothing })
    expect([1000, 4000, 7000].map(at)).toEqual(['unknown', 'unknown', 'failing'])
  })

  test('has no limits', () => {
    expect(verdicts([rule({ type: 'offline', max: 1, min: 1 })], thrice({ cpu: 1 }))).toBe('uup')
  })
})

describe('several conditions', () => {
  test('fail together or not at all', () => {
    const rules = [rule({ max: 90 }), rule({ type: 'memory', max: 50, duration: 3 })]
    expect(verdicts(rules, thrice({ cpu: 99, mem_used: 900 }))).toBe('uuf')
    expect(verdicts(rules, thrice({ cpu: 99, mem_used: 100 }))).toBe('uup')
  })

  test('one without data leaves open what the others do not settle', () => {
    const rules = [rule({ max: 90 }), rule({ type: 'gpu_max', max: 50 })]
    expect(verdicts(rules, thrice({ cpu: 99 }))).toBe('uuu')
    expect(verdicts(rules, thrice({ cpu: 9 }))).toBe('uup')
  })

  test('watch only servers that each of them watches', () => {
    const only = (ids: number[]) => rule({ cover: 1, ignore: Object.fromEntries(ids.map((id) => [id, true])) })
    const except = (ids: number[]) => rule({ cover: 0, ignore: Object.fromEntries(ids.map((id) => [id, true])) })
    const watched = (rules: RuleCondition[]) => [1, 2, 3].filter((id) => watches(rules, id))
    expect(watched([rule({})])).toEqual([1, 2, 3])
    expect(watched([except([2])])).toEqual([1, 3])
    expect(watched([only([1, 2]), except([2])])).toEqual([1])
    expect(watched([rule({ cover: 1, ignore: { 1: false } })])).toEqual([])
  })
})

describe('cycles', () => {
  const cycle = rule({
    type: 'transfer_all_cycle',
    max: 1000,
    cycle_start: '1970-01-01T00:00:00Z',
    cycle_interval: 1,
    cycle_unit: 'day',
  })

  test('are looked at again when they are due, and fail beyond the limit', () => {
    let value = 1000
    const asked: [string, number][] = []
    const transferred: TransferredSince = (direction, from) => {
      asked.push([direction, from])
      return value
    }
    const conditions = readyConditions([cycle])!
    const memory = createMemory(conditions)
    const sample = { host, state: {}, lastActive: null }
    const at = (seconds: number) => judge(conditions, memory, sample, { now: seconds * 1000, transferred })
    expect(at(0)).toBe('passing')
    value = 1001
    expect(at(56)).toBe('passing')
    expect(at(57)).toBe('failing')
    expect(asked).toEqual([
      ['all', 0],
      ['all', 0],
    ])
    expect(readingOf(conditions, memory, sample)).toEqual({ metric: 'transfer_all_cycle', value: 1001, limit: 1000 })
    value = 0
    expect(at(236)).toBe('failing')
    expect(at(86_400)).toBe('passing')
    expect(asked.at(-1)).toEqual(['all', 86_400_000])
  })

  test('are looked at again at once when the clock was set back', () => {
    let value = 5
    const conditions = readyConditions([cycle])!
    const memory = createMemory(conditions)
    const sample = { host, state: {}, lastActive: null }
    const at = (seconds: number) => judge(conditions, memory, sample, { now: seconds * 1000, transferred: () => value })
    expect(at(400 * 86_400)).toBe('passing')
    value = 2000
    expect(at(86_400 + 10)).toBe('failing')
    value = 5
    expect(at(86_400 - 10_000)).toBe('passing')
  })

  test('whose traffic is not known yet say nothing', () => {
    expect(verdicts([cycle], thrice({ cpu: 1 }))).toBe('uuu')
  })
})

test.each<[string, (RuleCondition | null)[]]>([
  ['no conditions', []],
  ['a null element', [null]],
  ['a null element beside a good one', [rule({ max: 1 }), null]],
  ['text for an element', ['cpu' as never]],
  ['an unknown type', [rule({ type: 'foo', min: 1 })]],
  [
    'an unknown cycle type',
    [rule({ type: 'foo_cycle', min: 1, cycle_start: '2026-01-01T00:00:00Z', cycle_interval: 1 })],
  ],
  ['no limit', [rule({})]],
  ['a negative limit', [rule({ max: -5 })]],
  ['a limit that is no number', [rule({ max: Number.NaN })]],
  ['a cycle without a start', [rule({ type: 'transfer_in_cycle', max: 1, cycle_interval: 1 })]],
  ['a cycle of no length', [rule({ type: 'transfer_in_cycle', max: 1, cycle_start: '2026-01-01T00:00:00Z' })]],
])('S-50 a rule with %s never fires', (_name, rules) => {
  expect(verdicts(rules, thrice({ cpu: 99 }))).toBe('never')
})

test.each([
  [0, 3],
  [-1, 3],
  [Number.NaN, 3],
  [1e12, 28_800],
])('S-50 a stored duration of %d counts %i samples', (duration, size) => {
  expect(readyConditions([rule({ max: 1, duration })])).toMatchObject([{ size }])
})
