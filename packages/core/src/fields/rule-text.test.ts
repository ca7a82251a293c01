import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RuleCondition } from '../define/index.ts'
import { serverRow, viewOf } from '../resources/testing.ts'
import { coveredIds, formatRules, parseRules, ruleMetrics, samplesOf, serverNames, unitOf } from './index.ts'

const titles = [
  'web-1',
  'web-2',
  'db, main',
  '7',
  ' padded',
  'two\nlines',
  'Twin',
  'twin',
  'on all except x',
  'läb 1',
  '',
]
const servers = titles.map((name, index) => serverRow({ id: index + 1, name }))
const { byName, nameOf } = serverNames(viewOf({ server: servers }))
const read = (text: string) => parseRules(text, byName)
const all = { cover: 0, ignore: {} }

describe('one condition', () => {
  test.each<[string, object]>([
    ['cpu > 90 for 30s', { type: 'cpu', max: 90, duration: 10, ...all }],
    ['cpu>90', { type: 'cpu', max: 90, duration: 10, ...all }],
    ['CPU > 90% FOR 1m', { type: 'cpu', max: 90, duration: 20, ...all }],
    ['memory > 92.5 % for 30 s', { type: 'memory', max: 92.5, duration: 10, ...all }],
    ['load5 < 1 or > 8 for 1m30s', { type: 'load5', min: 1, max: 8, duration: 30, ...all }],
    ['load5 > 8 or < 1 for 90', { type: 'load5', min: 1, max: 8, duration: 30, ...all }],
    ['offline for 30s', { type: 'offline', duration: 10, ...all }],
    ['offline', { type: 'offline', duration: 10, ...all }],
    ['gpu > 95 for 1h', { type: 'gpu_max', max: 95, duration: 1200, ...all }],
    ['temperature_max > 80 °C for 1m', { type: 'temperature_max', max: 80, duration: 20, ...all }],
    ['temperature_max > 80C', { type: 'temperature_max', max: 80, duration: 10, ...all }],
    ['net_all_speed > 10 MiB/s for 1m', { type: 'net_all_speed', max: 10 * 2 ** 20, duration: 20, ...all }],
    ['net_in_speed < 1k', { type: 'net_in_speed', min: 1024, duration: 10, ...all }],
    ['transfer_in > 1.5 GiB', { type: 'transfer_in', max: 1.5 * 2 ** 30, duration: 10, ...all }],
    ['process_count > 500 for 5 m', { type: 'process_count', max: 500, duration: 100, ...all }],
    [
      'transfer_all_cycle > 20TiB in 1 month from 2026-01-01',
      {
        type: 'transfer_all_cycle',
        max: 20 * 2 ** 40,
        cycle_start: '2026-01-01T00:00:00Z',
        cycle_interval: 1,
        cycle_unit: 'month',
        ...all,
      },
    ],
    [
      'transfer_out_cycle > 1 T in 12 hours from 2026-01-01T08:00:00+08:00 on only web-1',
      {
        type: 'transfer_out_cycle',
        max: 2 ** 40,
        cycle_start: '2026-01-01T08:00:00+08:00',
        cycle_interval: 12,
        cycle_unit: 'hour',
        cover: 1,
        ignore: { 1: true },
      },
    ],
    [
      'cpu > 90 for 30s on only web-1, WEB-2',
      { type: 'cpu', max: 90, duration: 10, cover: 1, ignore: { 1: true, 2: true } },
    ],
    ['cpu > 90 on all', { type: 'cpu', max: 90, duration: 10, ...all }],
    ['cpu > 90 on all servers', { type: 'cpu', max: 90, duration: 10, ...all }],
    ['cpu > 90 on all except #3, 99', { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: { 3: true, 99: true } }],
    ['cpu > 90 on all servers except läb 1', { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: { 10: true } }],
  ])('%s', (text, rule) => expect(read(text)).toEqual({ ok: true, rules: [rule] }))

  test.each([
    'cpu',
    'cpu 90',
    'cpu >',
    'cpu > lots',
    'cpu > 90 > 95',
    'cpu > 90 or > 95',
    'cpu > 90 and < 5',
    'cpu > 10 MiB',
    'cpu = 90',
    'heat > 90',
    'heat_cycle > 1G in 1 month from 2026-01-01',
    'offline > 3',
    'cpu > 90 for ever',
    'cpu > 90 for',
    'cpu > 90 in 1 month from 2026-01-01',
    'net_in_speed > 10 parsecs',
    'transfer_all_cycle > 1T',
    'transfer_all_cycle > 1T for 30s',
    'transfer_all_cycle > 1T in 1 fortnight from 2026-01-01',
    'transfer_all_cycle > 1T in 1 month from yesterday',
    'transfer_all_cycle > 1T in 1 month from 2026-13-01',
    'transfer_in > 1G/s',
    'cpu > 90 on only',
    'cpu > 90 on all except',
    'cpu > 90 on all web-1',
    'cpu > 90 on web-1',
    'cpu > 90 on only nobody',
    'cpu > 90 on only web-1, nobody',
  ])('%s cannot be read', (text) => expect(read(text)).toEqual({ ok: false, problem: 'rule', line: 1, text }))
})

describe('several conditions', () => {
  test('stand on lines or between semicolons; what is blank is nothing', () => {
    const rules = [
      { type: 'cpu', max: 90, duration: 10, ...all },
      { type: 'offline', duration: 3, ...all },
    ]
    expect(read('cpu > 90\n\n offline for 9s \n')).toEqual({ ok: true, rules })
    expect(read('cpu > 90; offline for 9s;')).toEqual({ ok: true, rules })
    expect(read(' \n ')).toEqual({ ok: true, rules: [] })
  })
  test('the line that cannot be read is named', () => {
    expect(read('cpu > 90\r\n\nwhatever\ncpu')).toEqual({ ok: false, problem: 'rule', line: 3, text: 'whatever' })
  })
  test('seconds become samples of three, at least one', () => {
    expect([0, 1, 4, 5, 9, 10, 30, 86_400].map(samplesOf)).toEqual([1, 1, 1, 2, 3, 3, 10, 28_800])
  })
})

describe('JSON of the wire', () => {
  test('is taken as it is, whatever its types', () => {
    const rules = [{ type: 'heat', cover: 1, ignore: { 4: true, 5: false }, min: '' }]
    expect(read(JSON.stringify(rules))).toEqual({ ok: true, rules })
    expect(read(' [] ')).toEqual({ ok: true, rules: [] })
  })
  test.each(['[', '[1]', '[null]', '[[]]', '{}', '{"type":"cpu","cover":0}', '["cpu > 90"]', '[{"type":"cpu"},null]'])(
    '%s is refused',
    (text) => expect(read(text)).toEqual({ ok: false, problem: 'notJson' }),
  )
})

describe('formatting', () => {
  test.each<[RuleCondition, string]>([
    [{ type: 'cpu', max: 90, duration: 10, cover: 0 }, 'cpu > 90 for 30s'],
    [
      { type: 'load1', min: 1, max: 8, duration: 3, cover: 0, ignore: { 2: true, 1: false } },
      'load1 > 8 or < 1 for 9s on all except web-2',
    ],
    [
      { type: 'offline', duration: 4, cover: 1, ignore: { 3: true, 7: true, 99: true } },
      'offline for 12s on only 3, Twin, 99',
    ],
    [{ type: 'net_in_speed', max: 10_485_760, duration: 5, cover: 0 }, 'net_in_speed > 10MiB/s for 15s'],
    [{ type: 'transfer_in', max: 1000, duration: 5, cover: 0 }, 'transfer_in > 1000 for 15s'],
    [
      {
        type: 'transfer_all_cycle',
        max: 20 * 2 ** 40,
        cycle_start: '2026-01-01T00:00:00Z',
        cycle_interval: 1,
        cycle_unit: 'MONTH',
        cover: 0,
      },
      'transfer_all_cycle > 20TiB in 1 month from 2026-01-01T00:00:00Z',
    ],
    [
      { type: 'transfer_all_cycle', max: 1, cycle_start: '2026-01-01T00:00:00Z', cycle_interval: 2, cover: 0 },
      'transfer_all_cycle > 1 in 2 hour from 2026-01-01T00:00:00Z',
    ],
  ])('%j', (rule, text) => expect(formatRules([rule], nameOf)).toBe(text))

  test.each<[string, RuleCondition]>([
    ['an unknown type', { type: 'heat', max: 1, duration: 3, cover: 0 }],
    ['a limit below zero', { type: 'cpu', max: -1, duration: 3, cover: 0 }],
    ['a limit of what has no value', { type: 'offline', max: 5, duration: 3, cover: 0 }],
    ['a cycle without a beginning', { type: 'transfer_in_cycle', max: 5, cycle_interval: 1, cover: 0 }],
    [
      'a beginning with a space',
      { type: 'transfer_in_cycle', max: 5, cycle_interval: 1, cycle_start: 'Jan 1, 2026', cover: 0 },
    ],
    ['only these servers, without one', { type: 'cpu', max: 5, duration: 3, cover: 1, ignore: { 1: false } }],
  ])('what no line can say is JSON: %s', (_name, rule) => {
    const rules = [{ type: 'cpu', max: 5, duration: 3, cover: 0 }, rule]
    expect(formatRules(rules, nameOf)).toBe(JSON.stringify(rules))
  })

  test('no conditions are no text', () => expect(formatRules([], nameOf)).toBe(''))
})

test('what is formatted is read back', () => {
  const limit = fc.oneof(fc.integer({ min: 1, max: 2 ** 50 }), fc.double({ min: 0.001, max: 1e12, noNaN: true }))
  const cycle = fc.record({
    cycle_start: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') })
      .map((date) => date.toISOString()),
    cycle_interval: fc.integer({ min: 1, max: 999 }),
    cycle_unit: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
  })
  const condition = fc
    .record({
      type: fc.constantFrom(...(Object.keys(ruleMetrics) as (keyof typeof ruleMetrics)[])),
      sides: fc.oneof(fc.record({ min: limit }), fc.record({ max: limit }), fc.record({ min: limit, max: limit })),
      duration: fc.integer({ min: 1, max: 100_000 }),
      cycle,
      named: fc.uniqueArray(fc.integer({ min: 1, max: 20 })),
      cover: fc.constantFrom(0, 1),
    })
    .map(({ type, sides, duration, cycle: times, named, cover }) => ({
      type,
      ...(unitOf(type) === 'none' ? {} : sides),
      ...(ruleMetrics[type].cycle ? times : { duration }),
      cover: named.length === 0 ? 0 : cover,
      ignore: Object.fromEntries(named.map((id) => [String(id), true])),
    }))
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 5 }), (rules) => {
      expect(read(formatRules(rules, nameOf))).toEqual({ ok: true, rules })
    }),
  )
})

test('reading never throws', () => {
  const words = fc.constantFrom(
    'cpu',
    '>',
    '<',
    '90',
    '%',
    'for',
    '30s',
    'on',
    'only',
    'all',
    'except',
    'in',
    'from',
    '[',
    ';',
    'or',
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void read(text)))
  fc.assert(fc.property(fc.array(words), (some) => void read(some.join(' '))))
  expect(read(`cpu > ${'9'.repeat(100_000)} for`).ok).toBe(false)
})

test('ids that are marked false are not covered', () => {
  expect(coveredIds({ ignore: { 1: true, 2: false } })).toEqual([1])
  expect(coveredIds({})).toEqual([])
})
