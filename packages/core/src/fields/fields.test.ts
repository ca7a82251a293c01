import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyRow, Field, FieldKind, View } from '../define/index.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { inputText, machineValue, parseInput, present } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const names: Record<number, string> = {
  1: 'web-1',
  2: 'Web-1',
  3: 'db, main',
  4: '7',
  5: 'mail',
  6: 'mail',
  7: 'queue',
  8: '',
}
const servers = Object.keys(names).map((id): AnyRow => ({ id: Number(id), name: names[Number(id)] }))
const view: View = {
  now: Date.parse('2026-11-20T13:32:07Z'),
  find: (resource, id) => (resource === 'server' ? servers.find((row) => row.id === id) : undefined),
  title: (resource, id) => (resource === 'server' ? (names[id] ?? null) : null),
  all: (resource) => (resource === 'server' ? servers : []),
  referring: () => [],
  trend: () => [],
}
const context = {
  resource: { name: 'cron' },
  fieldName: 'cover',
  translator,
  format: createFormat({ translator, timeZone: 'UTC' }),
  view,
  targetsText: () => 'All servers (8)',
}
const cover = { onlyListed: 0, allExcept: 1, onAlert: 2 }
const limits = { warn: 75, bad: 90 }
/** One field of every kind. */
const fields: { [K in FieldKind]: Field } = {
  text: { kind: 'text' },
  note: { kind: 'note' },
  secret: { kind: 'secret' },
  command: { kind: 'command' },
  schedule: { kind: 'schedule' },
  address: { kind: 'address' },
  version: { kind: 'version' },
  number: { kind: 'number', digits: 0, min: 1, max: 4 },
  duration: { kind: 'duration' },
  bytes: { kind: 'bytes' },
  rate: { kind: 'rate' },
  percent: { kind: 'percent', limits },
  trend: { kind: 'trend' },
  flag: { kind: 'flag' },
  choice: { kind: 'choice', options: cover, tones: { onAlert: 'warn' } },
  ref: { kind: 'ref', to: 'server' },
  refs: { kind: 'refs', to: 'server' },
  list: { kind: 'list' },
  'id-map': { kind: 'id-map', to: 'server' },
  instant: { kind: 'instant' },
  targets: { kind: 'targets' },
  rules: { kind: 'rules' },
  days: { kind: 'days' },
  reading: { kind: 'reading' },
  part: { kind: 'part', schema: null as never },
}
const busy = { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: {} }

describe('present', () => {
  test.each<[FieldKind, unknown, string, string, string | number | null]>([
    ['text', 'web-3', 'web-3', 'plain', 'web-3'],
    ['text', '', 'none', 'muted', null],
    ['text', 'a\u001b[31mb\u202ec', 'a\\x1b[31mb\\u{202e}c', 'plain', 'a\u001b[31mb\u202ec'],
    ['command', 'uptime\ndate', 'uptime …', 'plain', 'uptime\ndate'],
    ['note', ' \n', 'none', 'muted', null],
    ['secret', 'hunter2', 'set', 'muted', 1],
    ['secret', '', 'not set', 'muted', null],
    ['number', null, 'no data', 'muted', null],
    ['number', 0, '0', 'plain', 0],
    ['percent', 74.4, '74', 'plain', 74.4],
    ['percent', 75, '75', 'warn', 75],
    ['percent', 96.2, '96', 'bad', 96.2],
    ['duration', 7560, '2 h 6 min', 'plain', 7560],
    ['bytes', 2048, '2.0 KiB', 'plain', 2048],
    ['rate', 13_212_057, '12.6 M', 'plain', 13_212_057],
    ['trend', [], 'no data', 'muted', null],
    ['trend', [3, 41.2], '41', 'plain', 41.2],
    ['trend', [3, 41.2, null], '41', 'plain', 41.2],
    ['flag', true, 'yes', 'plain', 1],
    ['flag', false, 'no', 'muted', 0],
    ['choice', 1, 'all servers except these', 'plain', 1],
    ['choice', 2, 'the server that raised the alert', 'warn', 14],
    ['choice', 7, 'unknown (7)', 'muted', null],
    ['ref', 0, 'none', 'muted', null],
    ['ref', 1, 'web-1', 'plain', 'web-1'],
    ['ref', 99, '#99', 'plain', '#99'],
    ['refs', [], 'none', 'muted', null],
    ['refs', [1, 7], 'web-1, queue', 'plain', 'web-1, queue'],
    ['refs', [1, 7, 5, 2, 99], 'web-1, queue, mail, +2 more', 'plain', 'web-1, queue, mail, Web-1, #99'],
    ['list', ['a.example'], 'a.example', 'plain', 'a.example'],
    ['id-map', { 7: ['a', 'b'] }, 'queue: a b', 'plain', 1],
    ['instant', null, 'never', 'muted', null],
    ['instant', 'nonsense', 'never', 'muted', null],
    ['instant', '2026-11-20T10:20:00Z', '10:20', 'plain', 1_795_170_000_000],
    ['targets', { mode: 'except', servers: [] }, 'All servers (8)', 'plain', 2_000_000],
    ['rules', [busy], 'CPU above 90% for 30 s', 'plain', 'cpu'],
    ['rules', [], 'none', 'muted', null],
    ['days', [-1, 100, 96.04, 99], '96%', 'warn', 96.04],
    ['days', [100, 99], '99%', 'ok', 99],
    ['days', [94.9], '94.9%', 'bad', 94.9],
    ['days', [-1, -1], 'no data', 'muted', null],
    ['reading', { metric: 'cpu', value: 97.3, limit: 90 }, 'CPU 97.3%', 'plain', 'cpu'],
    ['reading', { metric: 'offline', value: null, limit: null }, 'offline', 'plain', 'offline'],
    ['reading', null, 'none', 'muted', null],
    ['part', {}, 'no data', 'muted', null],
  ])('%s %j', (kind, value, text, tone, sort) => {
    expect(present(fields[kind], value, context)).toMatchObject({ text, tone, sort })
  })

  test('a quantity comes in two parts and in full', () => {
    expect(present(fields.rate, 13_212_057, context)).toMatchObject({ number: '12.6', unit: 'M', full: '12.6 MiB/s' })
    expect(present(fields.bytes, 2048, context).full).toBe('2,048 B')
    expect(present(fields.percent, 95.6, context).full).toBe('96%')
  })

  test('a value is shown with its limit in full', () => {
    const shown = (reading: object) => present(fields.reading, reading, context).full
    expect(shown({ metric: 'latency', value: 412, limit: 200 })).toBe('latency 412 ms, limit 200 ms')
    expect(shown({ metric: 'latency', value: 412, limit: null })).toBeUndefined()
  })

  test('a number has its unit behind it', () => {
    expect(present({ kind: 'number', digits: 0, unit: 'ms' }, 38.4, context).text).toBe('38 ms')
  })

  test('what is cut stands in full', () => {
    expect(present(fields.command, 'a\r\n\tb\u0007', context).full).toBe('a\n\tb\\x07')
    expect(present(fields.instant, '2026-11-20T10:20:00Z', context).full).toContain('Friday, November 20, 2026')
  })
})

describe('parseInput', () => {
  const ok = (value: unknown) => ({ ok: true, value })
  const no = (code: string, params?: object) => ({
    ok: false,
    problem: { field: 'cover', code, ...(params ? { params } : {}) },
  })
  test.each<[FieldKind, string, object]>([
    ['number', ' 3 ', ok(3)],
    ['number', '', ok(null)],
    ['number', '3.5', no('notInteger')],
    ['number', '0', no('tooSmall', { minimum: 1 })],
    ['number', '9', no('tooBig', { maximum: 4 })],
    ['number', '0x3', no('notNumber', { text: '0x3' })],
    ['number', '1e999', no('notNumber', { text: '1e999' })],
    ['percent', '93%', ok(93)],
    ['percent', '93 %', ok(93)],
    ['duration', '1h30m', ok(5400)],
    ['duration', '2 h 6 min', ok(7560)],
    ['duration', '90', ok(90)],
    ['duration', '5 parsecs', no('notNumber', { text: '5 parsecs' })],
    ['bytes', '1.5 KiB', ok(1536)],
    ['rate', '2M/s', ok(2 ** 21)],
    ['bytes', 'lots', no('notNumber', { text: 'lots' })],
    ['flag', 'YES', ok(true)],
    ['flag', 'off', ok(false)],
    ['flag', 'maybe', no('notFlag')],
    ['choice', 'all-except', ok(1)],
    ['choice', 'allExcept', ok(1)],
    ['choice', '2', ok(2)],
    ['choice', 'all', no('notOption', { options: ['only-listed', 'all-except', 'on-alert'] })],
    ['ref', 'none', ok(0)],
    ['ref', '7', ok(7)],
    ['ref', '#7', ok(7)],
    ['ref', 'queue', ok(7)],
    ['ref', 'QUEUE', ok(7)],
    ['ref', 'web-1', ok(1)],
    ['ref', 'Web-1', ok(2)],
    ['ref', 'WEB-1', no('unknownReference', { matches: ['web-1 (1)', 'Web-1 (2)'], name: 'WEB-1' })],
    ['ref', 'mail', no('unknownReference', { matches: ['mail (5)', 'mail (6)'], name: 'mail' })],
    ['ref', '99', no('unknownReference', { name: '99' })],
    ['refs', 'queue, web-1,7', ok([7, 1])],
    ['refs', '', ok([])],
    ['refs', 'queue, nope', no('unknownReference', { name: 'nope' })],
    ['list', 'a.example,\nb.example,', ok(['a.example', 'b.example'])],
    ['list', '["a.example", "b, c", "[d]"]', ok(['a.example', 'b, c', '[d]'])],
    ['list', '[]', ok([])],
    ['list', '["a", 7]', { ok: false, problem: { field: 'cover', code: 'notText', at: '2' } }],
    ['list', '["a"', no('notJson')],
    ['list', '{"eth0":true}', no('notList')],
    ['list', 'a, "b"', no('listItem', { text: '"b"' })],
    ['list', 'a]', no('listItem', { text: 'a]' })],
    ['id-map', '{"7":["a"]}', ok({ 7: ['a'] })],
    ['id-map', '{"7":"a"}', no('notJson')],
    ['id-map', '{', no('notJson')],
    ['instant', '2026-11-20T14:00:00+01:00', ok('2026-11-20T14:00:00+01:00')],
    ['instant', '', ok(null)],
    ['instant', ' now ', ok('2026-11-20T13:32:07.000Z')],
    ['instant', '+2h', ok('2026-11-20T15:32:07.000Z')],
    ['instant', '-2h', ok('2026-11-20T11:32:07.000Z')],
    ['instant', 'in 1d12h', ok('2026-11-22T01:32:07.000Z')],
    ['instant', '+90', ok('2026-11-20T13:33:37.000Z')],
    ['instant', '2026-11-20', ok('2026-11-20')],
    ['instant', '2026-11-20 14:00Z', ok('2026-11-20 14:00Z')],
    ['instant', '2026-11-20 14:00', ok(new Date(2026, 10, 20, 14).toISOString())],
    ['instant', '2026-11-20T14:00:30', ok(new Date(2026, 10, 20, 14, 0, 30).toISOString())],
    ['instant', '+', no('notDate')],
    ['instant', '+2 parsecs', no('notDate')],
    ['instant', '+99999999999d', no('notDate')],
    ['instant', '14:00', no('notDate')],
    ['instant', 'tomorrow', no('notDate')],
    ['instant', '2026-13-40', no('notDate')],
    ['instant', '2026-02-31', no('notDate')],
    ['instant', '2026-04-31T10:00:00Z', no('notDate')],
    ['rules', 'cpu > 90 for 30s', ok([busy])],
    ['rules', 'offline for 9s on only queue', ok([{ type: 'offline', duration: 3, cover: 1, ignore: { 7: true } }])],
    ['rules', '', ok([])],
    ['rules', JSON.stringify([busy]), ok([busy])],
    ['rules', '[', no('notJson')],
    ['rules', 'cpu > 90\nnonsense', no('rule', { line: 2, text: 'nonsense' })],
    ['targets', 'all', no('wrong')],
    ['days', '1', no('wrong')],
    ['reading', '1', no('wrong')],
    ['part', '{}', no('wrong')],
    ['trend', '1', no('wrong')],
  ])('%s %j', (kind, text, result) => expect(parseInput(fields[kind], text, context)).toEqual(result))

  test('an id is taken as it is where no record is known', () => {
    expect(parseInput({ kind: 'ref', to: 'ddns' }, '12', context)).toEqual(ok(12))
  })
})

/** Without what JSON leaves out. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('round trip', () => {
  const texts = fc.string({ unit: 'binary' })
  const amount = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true, noDefaultInfinity: true }))
  const id = fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8)
  const item = texts.map((text) => text.replace(/[,\n]/g, '').trim()).filter((text) => text !== '')
  const values: { [K in FieldKind]?: fc.Arbitrary<unknown> } = {
    text: texts,
    note: texts,
    secret: texts,
    command: texts,
    schedule: texts,
    address: texts,
    version: texts,
    number: fc.option(fc.integer({ min: 1, max: 4 })),
    duration: amount,
    bytes: amount,
    rate: amount,
    percent: amount,
    flag: fc.boolean(),
    choice: fc.constantFrom(...Object.values(cover)),
    ref: fc.oneof(id, fc.constant(0)),
    refs: fc.uniqueArray(id),
    list: fc.array(item),
    rules: fc.constantFrom([], [busy], [busy, { ...busy, type: 'offline', max: undefined }]).map(plain),
    'id-map': fc.dictionary(fc.nat().map(String), fc.array(texts)),
    instant: fc.option(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((d) => d.toISOString()),
    ),
  }
  test.each(Object.keys(values) as FieldKind[])('%s', (kind) => {
    fc.assert(
      fc.property(values[kind]!, (value) => {
        const text = inputText(fields[kind], value, context)
        expect(parseInput(fields[kind], text, context)).toEqual({ ok: true, value })
      }),
    )
  })
  test.each([
    [30, '30s'],
    [90, '90s'],
    [300, '5m'],
    [3600, '1h'],
    [604_800, '7d'],
    [0, '0'],
    [1.5, '1.5'],
  ])('%s seconds are typed %s', (value, text) => expect(inputText(fields.duration, value, context)).toBe(text))
  test('names are typed where they are clear', () => {
    expect(inputText(fields.refs, [1, 7, 3, 4, 5, 8], context)).toBe('web-1, queue, 3, 4, 5, 8')
  })
  test.each(Object.keys(fields) as FieldKind[])('reading %s never throws', (kind) => {
    fc.assert(fc.property(texts, (text) => void parseInput(fields[kind], text, context)))
  })
})

test.each<[FieldKind, unknown, unknown]>([
  ['percent', 93.123456, 93.12],
  ['percent', null, null],
  ['bytes', 1.6, 2],
  ['choice', 1, 'allExcept'],
  ['choice', 7, 7],
  ['instant', '2026-11-20T14:00:00+01:00', '2026-11-20T13:00:00.000Z'],
  ['instant', null, null],
  ['refs', [1, 2], [1, 2]],
  ['targets', { mode: 'only', servers: [1] }, { mode: 'only', servers: [1] }],
  ['rules', [busy], [busy]],
  ['days', [-1, 99.5], [null, 99.5]],
  ['reading', { metric: 'cpu', value: 97, limit: 90 }, { metric: 'cpu', value: 97, limit: 90 }],
  ['secret', null, ''],
])('machine value of %s %j', (kind, value, machine) => expect(machineValue(fields[kind], value)).toEqual(machine))
