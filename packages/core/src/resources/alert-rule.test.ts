import { describe, expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import { type ActionContext, type Call, fieldValue, type Outcome, type RuleCondition } from '../define/index.ts'
import { checkRecord, cycleOf, cycleSpan, inputText, present } from '../fields/index.ts'
import { createFormat, createTranslator, loadLanguage, problemSentence } from '../i18n/index.ts'
import { alertRule, ruleConditions, targetsOfRules } from './alert-rule.ts'
import { backtestAnswer, backtestReport } from './backtest.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const context = { translator, format: createFormat({ translator, timeZone: 'UTC' }), view: viewOf({}) }
const shown = { ...context, resource: alertRule, targetsText: () => '' }
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
  ])('%s', (_name, rules, selection) => expect(targetsOfRules(rules)).toEqual(selection))
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

describe('issue 10.2: a damaged condition', () => {
  const damaged = [
    { cover: 0, max: 90 },
    { type: 7, cover: 'all', min: '5', max: null, duration: {}, cycle_start: 1, cycle_unit: [], ignore: 'web' },
    { type: 'heat_cycle', cover: 1, cycle_start: 'x', cycle_interval: 'y', ignore: { web: 3 } },
    {
      type: 'transfer_in_cycle',
      cover: 0,
      cycle_start: '2026-01-01T00:00:00Z',
      cycle_interval: 1e300,
      cycle_unit: 'year',
    },
  ]
  const stored = alertRule.read.parse({ id: 9, name: 'old', enable: true, rules: damaged })
  const { rules } = stored as unknown as { rules: RuleCondition[] }
  test('that is stored stays and is said', () => {
    expect(rules).toHaveLength(damaged.length)
    for (const one of rules) {
      const said = present(alertRule.fields.rules!, [one], { ...shown, fieldName: 'rules' })
      expect(said.text).not.toBe('')
      expect(said.text).not.toMatch(/undefined|NaN|Infinity|\{\{/)
    }
    expect(alertRule.preview!(stored, context)).toBeInstanceOf(Array)
    expect(alertRule.targets!(stored).mode).toBe('only')
    expect(
      Object.keys(alertRule.derived).map((name) => fieldValue(alertRule, stored, name, context.view)),
    ).toHaveLength(4)
    expect(typeof inputText(alertRule.fields.rules!, rules, { fieldName: 'rules', view: context.view })).toBe('string')
  })
  test.each(['2026-01-31T00:00:00Z', '-271821-04-20T00:00:00Z', '0001-01-31T00:00:00Z'])(
    'with a cycle from %s takes no time to be said',
    (cycle_start) => {
      const rule = { type: 'transfer_in_cycle', cover: 0, max: 1, cycle_start, cycle_interval: 1, cycle_unit: 'month' }
      const times = Array.from({ length: 20 }, () => {
        const startedAt = performance.now()
        alertRule.preview!({ rules: [rule] }, context)
        return performance.now() - startedAt
      })
      expect(Math.min(...times)).toBeLessThan(50)
    },
  )
})

describe('issue 10.15: an unknown type', () => {
  const values = (...types: string[]) => ({
    ...alertRule.initial,
    name: 'busy',
    rules: types.map((type) => ({ type, max: 1, duration: 3, cover: 0 })),
  })
  test('is refused with the list of types', () => {
    const checked = checkRecord(alertRule, values('cpu', 'heat'), null)
    expect(checked).toMatchObject({ ok: false, problems: [{ field: 'rules', code: 'ruleType' }] })
    expect(!checked.ok && problemSentence(translator, checked.problems[0]!)).toMatch(
      /^Condition 2: unknown type “heat”; available: cpu, memory/,
    )
  })
  test('that is stored may stay, another may not come', () => {
    expect(checkRecord(alertRule, values('heat'), { rules: values('heat').rules }).ok).toBe(true)
    expect(checkRecord(alertRule, values('heat', 'wind'), { rules: values('heat').rules }).ok).toBe(false)
    expect(checkRecord(alertRule, values('gpu', 'gpu_max', 'transfer_in_cycle'), null)).toMatchObject({
      ok: false,
      problems: [{ code: 'ruleInterval' }],
    })
  })
})

test('null elements are no conditions', () => expect(row.rules).toHaveLength(1))

test('switching off sends the whole rule, one call for each, and waits so that it can be taken back', async () => {
  const { calls, outcome } = await run('disable', { rows: [row, { ...row, id: 8 }] })
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['PATCH alert-rule/7', 'PATCH alert-rule/8'])
  expect(calls[0]!.body).toMatchObject({ name: 'busy', enable: false, rules: row.rules, notification_group_id: 3 })
  expect(outcome).toEqual({ kind: 'done', changed: [7, 8] })
  expect([alertRule.actions.disable.waits, alertRule.actions.enable.waits]).toEqual([true, true])
})

test('the conditions are copied as JSON; without any there is no text', async () => {
  expect((await run('copy-rules')).outcome).toEqual({ kind: 'copy', text: JSON.stringify(row.rules) })
  expect((await run('copy-rules', { rows: [{ ...row, rules: [] }] })).outcome).toEqual({ kind: 'copy', text: '' })
})

describe('a test message', () => {
  const told = (...parts: [string, boolean, string][]) => ({
    told: parts.map(([name, ok, error], at) => ({ notification_id: at, name, at: '', ok, error })),
  })
  const well = translator.t('ui.notifier.told', { name: 'mail' })
  const refused = translator.t('ui.notifier.notTold', { name: 'chat', error: 'refused' })
  const nobody = translator.t('ui.notifier.toldNobody')
  test.each<[string, unknown, [string, string][], string]>([
    ['reached all', told(['mail', true, '']), [[well, 'ok']], 'well'],
    [
      'reached some',
      told(['mail', true, ''], ['chat', false, 'refused']),
      [
        [well, 'ok'],
        [refused, 'bad'],
      ],
      'partly',
    ],
    ['failed', told(['chat', false, 'refused']), [[refused, 'bad']], 'badly'],
    ['reached nobody', told(), [[nobody, 'warn']], 'badly'],
    ['was answered strangely', 'what', [[nobody, 'warn']], 'badly'],
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
      'Would have fired on 2 servers',
      'web-1: 13:00:00, for 5 min 30 s',
      'web-2: since 13:20:00, still firing',
      'Last hour: 4 servers, 3 with data',
      'Without condition 1: 4 servers',
      'Without condition 2: 2 servers',
    ])
  })
  test('of one condition says nothing of the others', () => {
    expect(lines({ ...answer, fired: [], without: [0] })).toEqual([
      'Would have fired on 0 servers',
      'Last hour: 4 servers, 3 with data',
    ])
  })
  test('is asked with the conditions as they are', async () => {
    const { calls, outcome } = await run('backtest', { answer })
    expect(calls).toEqual([{ method: 'POST', path: 'alert-rule/backtest', body: { rules: row.rules } }])
    expect(outcome).toMatchObject({ kind: 'report', data: answer })
    const asked = alertRule.serverChecks.backtest!.call({ rules: row.rules }, null)
    expect(asked).toEqual({ ...calls[0], changesNothing: true })
  })
  test.each([null, 'what', { fired: 3 }, { fired: [{ server_id: 'x' }] }])(
    'a strange answer %j is no data',
    (value) => {
      expect(lines(value)[0]).toBe('Would have fired on 0 servers')
    },
  )
  test('points are kept for charts', () => {
    expect(backtestAnswer().parse(answer).fired[0]!.points).toEqual([1, null])
  })
})

test('the preview is the sentence', () => {
  expect(alertRule.preview!({ rules: row.rules }, context)).toEqual(['CPU above 90% for 30 s'])
  expect(alertRule.preview!({}, context)).toEqual([''])
})

test('the preview says which cycle it is now', () => {
  const cycle = { type: 'transfer_all_cycle', max: 1, cover: 0, cycle_start: '2020-01-31T00:00:00Z', cycle_interval: 1 }
  const at = (fields: object) => alertRule.preview!({ rules: [{ ...cycle, ...fields }] }, context)[1]
  const { from, to } = cycleSpan(cycleOf({ ...cycle, cycle_unit: 'month' })!, context.view.now)
  const { instantLong } = context.format
  expect(at({ cycle_unit: 'month' })).toBe(`Current cycle: ${instantLong(from)} to ${instantLong(to)}`)
  expect(at({ cycle_start: 'soon' })).toBeUndefined()
})

const cpu = { type: 'cpu', max: 90, duration: 10, cover: 0 }
const cycle = { type: 'transfer_in_cycle', max: 1, cycle_interval: 1, cycle_start: '2026-01-01T00:00:00Z', cover: 0 }
/** Codes of refused conditions, each with the number it names. */
const codes = (rules: unknown) =>
  ruleConditions()
    .safeParse(rules)
    .error?.issues.map((issue) =>
      issue.code === 'custom' ? [issue.params?.code, issue.params?.number] : issue.path.join('.'),
    ) ?? []

describe('what the contract refuses (engines 1.9) has a code', () => {
  test.each<[string, unknown, unknown]>([
    ['no condition', [], ['ruleNeeded', undefined]],
    ['a coverage of another entity', [{ ...cpu, cover: 2 }], ['ruleCover', 1]],
    ['a coverage below zero', [cpu, { ...cpu, cover: -1 }], ['ruleCover', 2]],
    ['less than three samples', [{ ...cpu, duration: 2 }], ['ruleDuration', 1]],
    ['more samples than a day has', [{ ...cpu, duration: 28_801 }], ['ruleLong', 1]],
    ['no samples', [{ type: 'cpu', max: 90, cover: 0 }], ['ruleDuration', 1]],
    ['an empty text for samples', [{ ...cpu, duration: '' }], ['ruleDuration', 1]],
    ['no interval', [{ ...cycle, cycle_interval: 0 }], ['ruleInterval', 1]],
    ['an interval below zero', [{ ...cycle, cycle_interval: -3 }], ['ruleInterval', 1]],
    ['no beginning', [{ ...cycle, cycle_start: '' }], ['ruleStart', 1]],
    ['null for the beginning', [{ ...cycle, cycle_start: null }], ['ruleStart', 1]],
    ['a beginning that is no time', [cpu, cycle, { ...cycle, cycle_start: 'soon' }], ['ruleStart', 3]],
  ])('%s', (_name, rules, code) => expect(codes(rules)).toEqual([code]))
})

test.each<[string, unknown, string]>([
  ['null', null, ''],
  ['a text', 'cpu', ''],
  ['a null element', [null], '0'],
  ['no type', [{ cover: 0 }], '0.type'],
  ['an empty type', [{ ...cpu, type: '' }], '0.type'],
  ['no coverage', [{ type: 'cpu', duration: 3 }], '0.cover'],
  ['a limit that is a word', [{ ...cpu, max: 'much' }], '0.max'],
  ['a limit without end', [{ ...cpu, max: Number.POSITIVE_INFINITY }], '0.max'],
  ['half a sample', [{ ...cpu, duration: 3.5 }], '0.duration'],
  ['a server that is no id', [{ ...cpu, ignore: { web: true } }], '0.ignore.web'],
  ['a mark that is no flag', [{ ...cpu, ignore: { 1: 1 } }], '0.ignore.1'],
  ['too many', Array.from({ length: 65 }, () => cpu), ''],
])('%s is refused where it stands', (_name, rules, path) => expect(codes(rules)).toContain(path))

test.each<[string, unknown, unknown]>([
  ['a plain one', cpu, cpu],
  ['an unknown type, which never fires', { ...cpu, type: 'heat' }, { ...cpu, type: 'heat' }],
  ['empty texts for limits', { ...cpu, min: '', max: '' }, { ...cpu, min: 0, max: 0 }],
  ['a cycle without samples', cycle, cycle],
  ['what is no longer stored', { ...cpu, next_transfer_at: {}, last_cycle_status: true }, cpu],
  ['no marks', { ...cpu, ignore: null }, { ...cpu, ignore: undefined }],
  ['huge limits', { ...cpu, max: 1e300, duration: 28_800 }, { ...cpu, max: 1e300, duration: 28_800 }],
])('%s is taken', (_name, rule, taken) => expect(ruleConditions().parse([rule])).toEqual([taken]))
