import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { RuleCondition } from '../define/index.ts'
import { coveredIds, formatRules, parseRules, ruleMetrics, samplesOf, serverNames, unitOf } from './index.ts'

/** For parsers in any language; what the numbers of `servers` are called. */
interface Vectors {
  servers: Readonly<Record<string, string>>
  read: [string, RuleCondition][]
  refused: string[]
  write: [RuleCondition, string][]
}

const file = new URL('../../../../tests/vectors/alert-rules.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors
const servers = Object.entries(vectors.servers).map(([id, name]) => serverRow({ id: Number(id), name }))
const { byName, nameOf } = serverNames(viewOf({ server: servers }))
const read = (text: string) => parseRules(text, byName)
const all = { cover: 0, ignore: {} }

describe('one condition', () => {
  test.each(vectors.read)('%s', (text, rule) => expect(read(text)).toEqual({ ok: true, rules: [rule] }))
  test.each(vectors.refused)('%s cannot be read', (text) =>
    expect(read(text)).toEqual({ ok: false, problem: 'rule', line: 1, text }),
  )
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

test('a limit of 0.5 stays one; more than none of what runs on a host is written as 0', () => {
  const text = (type: string) => formatRules([{ type, max: 0.5, duration: 10, ...all }], () => null)
  expect(text('tcp_conn_count')).toBe('tcp_conn_count > 0.5 for 30s')
  expect(text('units_failed')).toBe('units_failed > 0 for 30s')
})

describe('JSON of the wire', () => {
  test('is taken whatever its types; empty texts are zero', () => {
    const rule = { type: 'heat', cover: 1, ignore: { 4: true, 5: false }, min: 0 }
    expect(read(JSON.stringify([{ ...rule, min: '' }]))).toEqual({ ok: true, rules: [rule] })
    expect(read(' [] ')).toEqual({ ok: true, rules: [] })
  })
  test.each([
    ['[{"cover":0}]', 'required', '1.type'],
    ['[{"type":"cpu","cover":0},{"type":7,"cover":0}]', 'notText', '2.type'],
    ['[{"type":"cpu"}]', 'required', '1.cover'],
    ['[{"type":"cpu","cover":0,"max":"much"}]', 'wrong', '1.max'],
    ['[{"type":"cpu","cover":0,"ignore":{"web":true}}]', 'notId', '1.ignore.web'],
    ['[{"type":"cpu","cover":0,"cycle_start":7}]', 'notText', '1.cycle_start'],
  ])('issue 10.2: %s is refused where it is damaged', (text, code, at) => {
    expect(read(text)).toMatchObject({ ok: false, problem: 'part', cause: { code, at } })
  })
  test.each(['[', '[1]', '[null]', '[[]]', '{}', '{"type":"cpu","cover":0}', '["cpu > 90"]', '[{"type":"cpu"},null]'])(
    '%s is refused',
    (text) => expect(read(text)).toEqual({ ok: false, problem: 'notJson' }),
  )
})

describe('formatting', () => {
  test.each(vectors.write)('%j', (rule, text) => expect(formatRules([rule], nameOf)).toBe(text))

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
