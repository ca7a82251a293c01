import { describe, expect, test } from 'vitest'
import type { ActionContext, Call, Outcome, RuleCondition } from '../define/index.ts'
import { cycleOf, cycleSpan } from '../fields/index.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import { alertRule, reachOfRules } from './alert-rule.ts'
import { backtestAnswer, backtestReport } from './backtest.ts'
import { viewOf } from './testing.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const context = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view: viewOf({}) }
const only = (...ids: number[]): RuleCondition => ({ type: 'cpu', cover: 1, ignore: marksOf(ids) })
const except = (...ids: number[]): RuleCondition => ({ type: 'cpu', cover: 0, ignore: marksOf(ids) })
const marksOf = (ids: readonly number[]) => Object.fromEntries(ids.map((id) => [id, true]))

describe('servers that a rule can fire on are those of every condition (contract engines 1.4)', () => {
  test.each<[string, RuleCondition[], object]>([
    ['all', [except()], { mode: 'except', servers: [] }],
    ['all but the ones of each', [except(1), except(2, 1)], { mode: 'except', servers: [1, 2] }],
    ['the listed', [only(1, 2)], { mode: 'only', servers: [1, 2] }],
    ['listed by both', [only(1, 2), only(2, 3)], { mode: 'only', servers: [2] }],
    ['listed and not left out', [only(1, 2), except(2)], { mode: 'only', servers: [1] }],
    ['nobody', [only(1), only(2)], { mode: 'only', servers: [] }],
    ['nobody where none is listed', [only(), except()], { mode: 'only', servers: [] }],
    [
      'marks that are false are none',
      [{ type: 'cpu', cover: 1, ignore: { 1: false, 2: true } }],
      { mode: 'only', servers: [2] },
    ],
    ['no conditions', [], { mode: 'except', servers: [] }],
  ])('%s', (_name, rules, reach) => expect(reachOfRules(rules)).toEqual(reach))
})

const row = alertRule.read.parse({
  id: 7,
  name: 'busy',
  enable: true,
  notification_group_id: 3,
  rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }, null],
})

async function run(name: string, { rows = [row], answer = null as unknown } = {}) {
  const calls: Call[] = []
  const api = {
    async send(call: Call) {
      calls.push(call)
      return answer
    },
  }
  const outcome = await alertRule.actions[name]!.run({ api } as unknown as ActionContext, rows)
  return { calls, outcome }
}
const linesOf = (outcome: Outcome) => (outcome.kind === 'report' ? outcome.report(context) : [])

test('null elements are no conditions', () => expect(row.rules).toHaveLength(1))

test('switching off sends the whole rule, one call for each, and waits so that it can be taken back', async () => {
  const { calls, outcome } = await run('disable', { rows: [row, { ...row, id: 8 }] })
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['PATCH alert-rule/7', 'PATCH alert-rule/8'])
  expect(calls[0]!.body).toMatchObject({ name: 'busy', enable: false, rules: row.rules, notification_group_id: 3 })
  expect(outcome).toEqual({ kind: 'done', changed: [7, 8] })
  expect([alertRule.actions.disable!.waits, alertRule.actions.enable!.waits]).toEqual([true, true])
})

test('the conditions are copied as JSON; without any there is no text', async () => {
  expect((await run('copy-rules')).outcome).toEqual({ kind: 'copy', text: JSON.stringify(row.rules) })
  expect((await run('copy-rules', { rows: [{ ...row, rules: [] }] })).outcome).toEqual({ kind: 'copy', text: '' })
})

describe('a test message', () => {
  const told = (...parts: [string, boolean, string][]) => ({
    told: parts.map(([name, ok, error], at) => ({ notification_id: at, name, at: '', ok, error })),
  })
  test.each<[string, unknown, [string, string][], string]>([
    ['reached all', told(['mail', true, '']), [['mail has the test message', 'ok']], 'well'],
    [
      'reached some',
      told(['mail', true, ''], ['chat', false, 'refused']),
      [
        ['mail has the test message', 'ok'],
        ['chat was not reached: refused', 'bad'],
      ],
      'partly',
    ],
    ['failed', told(['chat', false, 'refused']), [['chat was not reached: refused', 'bad']], 'badly'],
    ['reached nobody', told(), [['There is no notifier in its group', 'warn']], 'badly'],
    ['was answered strangely', 'what', [['There is no notifier in its group', 'warn']], 'badly'],
  ])('%s', async (_name, answer, lines, ended) => {
    const { outcome } = await run('test', { answer })
    expect(outcome).toMatchObject({ kind: 'report', data: answer, ended })
    expect(linesOf(outcome).map(({ text, tone }) => [text, tone])).toEqual(lines)
  })
})

describe('a back-test', () => {
  const answer = {
    from: '2026-11-20T12:32:00Z',
    to: '2026-11-20T13:32:00Z',
    servers: 4,
    with_data: 3,
    fired: [
      {
        server_id: 1,
        server_name: 'web-1',
        from: '2026-11-20T13:00:00Z',
        to: '2026-11-20T13:05:30Z',
        points: [1, null],
        limit: 90,
      },
      { server_id: 2, server_name: 'web-2', from: '2026-11-20T13:20:00Z', to: null },
    ],
    without: [4, 2],
  }
  const lines = (value: unknown) => backtestReport(value)(context).map(({ text }) => text)

  test('says where it would have fired, when, and which condition decides', () => {
    expect(lines(answer)).toEqual([
      '2 servers would have fired',
      'web-1: 13:00:00, for 5 min 30 s',
      'web-2: since 13:20:00, still',
      '4 servers in the last hour, 3 with data',
      'Without condition 1: 4 servers',
      'Without condition 2: 2 servers',
    ])
  })
  test('of one condition says nothing of the others', () => {
    expect(lines({ ...answer, fired: [], without: [0] })).toEqual([
      '0 servers would have fired',
      '4 servers in the last hour, 3 with data',
    ])
  })
  test('is asked with the conditions as they are', async () => {
    const { calls, outcome } = await run('backtest', { answer })
    expect(calls).toEqual([{ method: 'POST', path: 'alert-rule/backtest', body: { rules: row.rules } }])
    expect(outcome).toMatchObject({ kind: 'report', data: answer })
    const asked = alertRule.trials.backtest!.call({ rules: row.rules }, null)
    expect(asked).toEqual(calls[0])
  })
  test.each([null, 'what', { fired: 3 }, { fired: [{ server_id: 'x' }] }])(
    'a strange answer %j is no data',
    (value) => {
      expect(lines(value)[0]).toBe('0 servers would have fired')
    },
  )
  test('points are kept for charts', () => {
    expect(backtestAnswer.parse(answer).fired[0]!.points).toEqual([1, null])
  })
})

test('the preview is the sentence', () => {
  expect(alertRule.preview!({ rules: row.rules }, context)).toEqual(['CPU above 90 % for 30 s'])
  expect(alertRule.preview!({}, context)).toEqual([''])
})

test('the preview says which cycle it is now', () => {
  const cycle = { type: 'transfer_all_cycle', max: 1, cover: 0, cycle_start: '2020-01-31T00:00:00Z', cycle_interval: 1 }
  const at = (fields: object) => alertRule.preview!({ rules: [{ ...cycle, ...fields }] }, context)[1]
  const { from, to } = cycleSpan(cycleOf({ ...cycle, cycle_unit: 'month' })!, context.view.now)
  const { instantLong } = context.format
  expect(at({ cycle_unit: 'month' })).toBe(`Present cycle: ${instantLong(from)} to ${instantLong(to)}`)
  expect(at({ cycle_start: 'soon' })).toBeUndefined()
})
