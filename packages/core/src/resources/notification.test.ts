import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import type { ActionContext, AnyRow, SayContext } from '../define/index.ts'
import { checkInput } from '../fields/index.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { notification, previewNotifier } from './notification.ts'

const right = { ...notification.initial, name: 'chat', url: 'https://chat.example.net/hook/#NEZHA#' }
const problemsOf = (change: object) => {
  const checked = checkInput(notification.input, { ...right, ...change })
  return checked.ok ? [] : checked.problems.map(({ field, code }) => `${field} ${code}`)
}

describe('rules of spec section 5', () => {
  test.each<[object, string[]]>([
    [{}, []],
    [{ name: '' }, ['name required']],
    [{ url: 'chat.example.net' }, ['url notUrl']],
    [{ url: 'ftp://example.net' }, ['url notUrl']],
    [{ url: 'http://' }, ['url notUrl']],
    [{ url: 'HTTP://example.net' }, []],
    [{ url: `https://a/${'x'.repeat(4096)}` }, ['url tooLong']],
    [{ request_method: 0 }, ['request_method notOption']],
    [{ request_method: 6 }, ['request_method notOption']],
    [{ request_type: 3 }, ['request_type notOption']],
    [{ request_body: '"quotes"\nand lines' }, []],
    [{ request_body: 'x'.repeat(65_537) }, ['request_body tooLong']],
  ])('%j', (change, problems) => expect(problemsOf(change)).toEqual(problems))

  test.each<[string | null, boolean]>([
    ['', true],
    [null, true],
    [' \n', true],
    ['{"X-Key":"abc"}', true],
    ['{"X-Retry": 3}', true],
    ['{}', true],
    ['{', false],
    ['[]', false],
    ['null', false],
    ['"X-Key: abc"', false],
    ['{"X-Key":{}}', false],
    ['{"X-Key":null}', false],
    ['{"X Key":"abc"}', false],
    ['{"":"abc"}', false],
    ['{"X-Key":"a\\r\\nX-Other: b"}', false],
    ['{"X-Key":"a\\u0000"}', false],
  ])('headers %j: %s', (request_header, isRight) => {
    expect(problemsOf({ request_header })).toEqual(isRight ? [] : ['request_header notHeaders'])
  })
})

test('a test message says who answered what', async () => {
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  const context = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view: viewOf({}) }
  const answer = { status: 204, ms: 38, host: 'chat.example.net' }
  const api = { send: async () => answer }
  const outcome = await notification.actions.test.run({ api } as unknown as ActionContext, [{ id: 3 }])
  if (outcome.kind !== 'report') throw new Error(outcome.kind)
  expect(outcome.report(context)).toEqual([{ text: 'chat.example.net responded with 204 in 38 ms', tone: 'ok' }])
  expect(outcome.data).toBe(answer)
  expect(notification.serverChecks.test!.report('what')(context)).toHaveLength(1)
})

test('a server check sends the form as typed, with the id of the record whose secrets are kept', () => {
  const { call } = notification.serverChecks.test!
  expect(call(right, null)).toEqual({ method: 'POST', path: 'notification/try', body: right })
  expect(call(right, 7)).toEqual({ method: 'POST', path: 'notification/try', body: { ...right, id: 7 } })
})

test.each<[object, string]>([
  [{ last_sent_at: null }, 'never'],
  [{ last_sent_at: '2026-11-20T13:00:00Z', last_error: '' }, 'ok'],
  [{ last_sent_at: '2026-11-20T13:00:00Z', last_error: 'refused' }, 'failing'],
])('%j: %s', (values, state) => {
  expect(notification.derived.state!(notification.read.parse({ id: 1, ...values }), viewOf({}))).toBe(state)
})

const server = {
  id: 3,
  name: 'db-1',
  host: { mem_total: 1000 },
  state: { mem_used: 250 },
  geoip: {},
  last_active: '2026-11-21T00:00:00Z',
}
const context = (servers: readonly AnyRow[]) =>
  ({
    translator: { t: (_key: string, { name }: { name: string }) => `${name}: "hot"` },
    format: { timeZone: 'UTC' },
    view: { now: 0, all: () => servers },
  }) as unknown as SayContext

const values = {
  url: 'https://push.example/?m=#SERVER.ID#',
  request_method: 2,
  request_type: 1,
  request_header: '{"X-Key":"abc"}',
  request_body: '{"text":"#NEZHA#","mem":"#SERVER.MEM#"}',
  format_metric_units: true,
}

test('a notifier as typed is shown for a server that reports', () => {
  const silent = { ...server, id: 1, name: 'off', last_active: null }
  expect(previewNotifier(values, context([silent, server]))).toEqual([
    'POST https://push.example/?m=3',
    'Content-Type: application/json',
    'X-Key: abc',
    '{"text":"db-1: \\"hot\\"","mem":"25.00 %"}',
  ])
})

test('without servers their placeholders stay; what was cleared or cannot be built is no trouble', () => {
  expect(previewNotifier({ ...values, request_header: null }, context([]))[2]).toContain('#SERVER.MEM#')
  expect(previewNotifier({ ...values, request_header: '{' }, context([server]))).toEqual([])
})
