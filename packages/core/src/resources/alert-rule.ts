import * as z from 'zod'
import {
  defineAction,
  defineResource,
  lazy,
  namedOptions,
  type Outcome,
  type Report,
  type RuleCondition,
  type TargetSelection,
  type View,
} from '../define/index.ts'
import { firstItem, type Problem } from '../errors.ts'
import {
  coveredIds,
  isCycleType,
  leastSamples,
  maxConditions,
  maxSamples,
  metricOf,
  presentCycle,
  ruleMetrics,
  ruleShape,
  rulesSentence,
} from '../fields/index.ts'
import { common, commonKinds, deliveries, id, ids, marks, owner, ownerKind, WatchCover } from '../schemas/index.ts'
import { backtestReport } from './backtest.ts'
import {
  checkSelection,
  driftField,
  selectionFields,
  selectionInitial,
  selectionInput,
  selectionKinds,
} from './following.ts'
import { switchActions } from './switching.ts'

/** A rule’s conditions, which must all hold at the same time. Whether a cycle starts in the future or a type is known is checked elsewhere. Source: contract engines 1.9. */
export const ruleConditions = lazy(() =>
  z
    .array(ruleShape())
    .max(maxConditions)
    .superRefine((rules, context) => {
      const refuse = (index: number, code: string) =>
        context.addIssue({ code: 'custom', path: [index], params: { code, number: index + 1 } })
      if (rules.length === 0) context.addIssue({ code: 'custom', params: { code: 'ruleNeeded' } })
      for (const [index, rule] of rules.entries()) {
        if (rule.cover !== 0 && rule.cover !== 1) refuse(index, 'ruleCover')
        else if (!isCycleType(rule.type)) {
          if ((rule.duration ?? 0) < leastSamples) refuse(index, 'ruleDuration')
          if ((rule.duration ?? 0) > maxSamples) refuse(index, 'ruleLong')
        } else if ((rule.cycle_interval ?? 0) < 1) refuse(index, 'ruleInterval')
        else if (!rule.cycle_start) refuse(index, 'ruleStart')
        else if (Number.isNaN(Date.parse(rule.cycle_start))) refuse(index, 'ruleStart')
      }
    }),
)

/** Whether an incident notifies repeatedly, or once until it closes. */
export const TriggerMode = { always: 0, once: 1 } as const
const RuleState = namedOptions('off', 'firing', 'watching')

const backtestCapability = 'backtest'

const firingCapability = 'incidents'

const input = lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).max(128),
      enable: z.boolean(),
      rules: ruleConditions(),
      ...selectionInput(),
      trigger_mode: z.enum(TriggerMode),
      notification_group_id: id,
      fail_trigger_tasks: ids,
      recover_trigger_tasks: ids,
    })
    .superRefine(checkSelection),
)
const added = lazy(() => ({ ...common, firing: z.array(z.int()), owner }))

type AlertRule = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

/** The servers that every condition covers, since all must hold at the same time (contract engines 1.4). */
export function targetsOfRules(rules: readonly RuleCondition[]): TargetSelection {
  const without = new Set(rules.filter(({ cover }) => cover !== WatchCover.onlyListed).flatMap(coveredIds))
  const only = rules.filter(({ cover }) => cover === WatchCover.onlyListed).map((rule) => new Set(coveredIds(rule)))
  const [first, ...others] = only
  if (!first) return { mode: 'except', servers: [...without] }
  return { mode: 'only', servers: [...first].filter((one) => !without.has(one) && others.every((set) => set.has(one))) }
}

const tested = lazy(() => z.object({ told: deliveries() }))

function testOutcome(answer: unknown): Outcome {
  const { told: parts } = tested().catch({ told: [] }).parse(answer)
  const report: Report = ({ translator }) =>
    parts.length === 0
      ? [{ text: translator.t('ui.notifier.toldNobody'), tone: 'warn' }]
      : parts.map(({ name, ok, error }) => ({
          text: ok ? translator.t('ui.notifier.told', { name }) : translator.t('ui.notifier.notTold', { name, error }),
          tone: ok ? 'ok' : 'bad',
        }))
  const delivered = parts.filter(({ ok }) => ok).length
  return {
    kind: 'report',
    report,
    data: answer,
    ended: delivered === 0 ? 'badly' : delivered < parts.length ? 'partly' : 'well',
  }
}

const test = defineAction<AlertRule>()({
  on: 'one',
  scope: 'nezha:alertrule:write',
  icon: 'send',
  key: 'r',
  aliases: ['send test', 'test-fire', 'try'],
  capability: backtestCapability,
  blocked: [{ when: { notification_group_id: { is: 0 } }, reason: 'notifiesNobody' }],
  args: {
    input: () => z.strictObject({ server_id: id }),
    fields: { server_id: { kind: 'ref', to: 'server', help: true, aliases: ['server'], flag: true } },
    form: { with: ['server_id'] },
  },
  wire: { method: 'POST', path: 'alert-rule/{id}/test', body: (_rows, args) => args },
  outcome: testOutcome,
})

const backtest = defineAction<AlertRule>()({
  on: 'one',
  scope: 'nezha:alertrule:read',
  icon: 'history',
  aliases: ['would have fired', 'simulate'],
  capability: backtestCapability,
  wire: { method: 'POST', path: 'alert-rule/backtest', body: (rows) => ({ rules: firstItem(rows).rules }) },
  outcome: (answer) => ({ kind: 'report', report: backtestReport(answer), data: answer }),
})

const copyRules = defineAction<AlertRule>()({
  on: 'one',
  scope: 'nezha:alertrule:read',
  icon: 'copy',
  aliases: ['json'],
  async run(_context, rows) {
    const { rules } = firstItem(rows)
    return { kind: 'copy', text: rules.length > 0 ? JSON.stringify(rules) : '' }
  },
})

/** New unknown types are refused, because they never fire; stored ones of an older version stay. */
function unknownTypes(rules: readonly RuleCondition[], stored: readonly RuleCondition[]): Problem[] {
  const kept = new Set(stored.map(({ type }) => type))
  return rules.flatMap(({ type }, index): Problem[] =>
    metricOf(type) !== null || kept.has(type)
      ? []
      : [{ field: 'rules', code: 'ruleType', params: { number: index + 1, type, types: Object.keys(ruleMetrics) } }],
  )
}

function firstNames(servers: readonly number[], view: View): string {
  const names = servers.slice(0, 2).map((one) => view.title('server', one) ?? `#${one}`)
  return names.join(', ') + (servers.length > names.length ? ` +${servers.length - names.length}` : '')
}

export const alertRule = defineResource({
  name: 'alert-rule',
  icon: 'siren',
  family: 'notification',
  go: 'g a',
  input,
  added,
  initial: {
    enable: true,
    rules: [{ type: 'cpu', max: 90, duration: 10, cover: WatchCover.allExcept, ignore: {} }],
    ...selectionInitial,
    trigger_mode: TriggerMode.once,
  },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always' },
    enable: { kind: 'flag', show: 'always', switch: { on: 'enable', off: 'disable' }, aliases: ['enabled'] },
    rules: { kind: 'rules', show: 'always', wide: true, help: true, flag: true },
    ...selectionKinds,
    trigger_mode: { kind: 'choice', show: 'wide', options: TriggerMode, aliases: ['mode'], flag: true, short: true },
    notification_group_id: {
      kind: 'ref',
      short: true,
      to: 'notification-group',
      aliases: ['tells', 'notification-group'],
      flag: true,
    },
    fail_trigger_tasks: { kind: 'refs', show: 'wide', to: 'cron', aliases: ['on-fail'], short: true },
    recover_trigger_tasks: { kind: 'refs', show: 'wide', to: 'cron', aliases: ['on-recover'], short: true },
    firing: { kind: 'refs', show: 'detail', to: 'server', requires: firingCapability },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: RuleState,
      requires: firingCapability,
      tones: { off: 'muted', firing: 'warn', watching: 'ok' },
      words: true,
      from: ({ enable, firing }) => (!enable ? 'off' : firing.length > 0 ? 'firing' : 'watching'),
    },
    reach: { kind: 'targets', from: ({ rules }) => targetsOfRules(rules) },
    drift: driftField(({ rules }: Pick<AlertRule, 'rules'>) => targetsOfRules(rules)),
    has_cycle: { kind: 'flag', hidden: true, from: ({ rules }) => rules.some(({ type }) => isCycleType(type)) },
  },
  columns: [
    'name',
    'state',
    'rules',
    'reach',
    'trigger_mode',
    'notification_group_id',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'enable',
    'firing',
    'server_query',
    'drift',
  ],
  search: ['notification_group_id', 'fail_trigger_tasks', 'recover_trigger_tasks'],
  facet: 'state',
  form: {
    what: ['name', 'enable'],
    when: ['rules'],
    where: [...selectionFields],
    tell: ['notification_group_id', 'trigger_mode'],
    act: ['fail_trigger_tasks', 'recover_trigger_tasks'],
  },
  targets: ({ rules }) => targetsOfRules(rules),
  validate: ({ rules }, stored) => unknownTypes(rules, (stored?.rules ?? []) as readonly RuleCondition[]),
  withTargets: ({ rules }, servers) => ({
    rules: (rules as readonly RuleCondition[]).map((rule) => ({
      ...rule,
      cover: WatchCover.onlyListed,
      ignore: marks(servers),
    })),
  }),
  state: {
    field: 'state',
    states: ['firing'],
    cause: ({ enable, firing }, view) =>
      enable && firing.length > 0
        ? { name: 'firing', params: { names: { kind: 'text', value: firstNames(firing, view) } } }
        : null,
    absence: () => null,
  },
  scopes: { read: 'nezha:alertrule:read', write: 'nezha:alertrule:write', remove: 'nezha:alertrule:delete' },
  preview(values, context) {
    const rules = (values.rules ?? []) as readonly RuleCondition[]
    const { now } = context.view
    const cycles = rules.flatMap((rule) => presentCycle(rule, { ...context, now }) ?? [])
    return [rulesSentence(rules, context), ...new Set(cycles)]
  },
  serverChecks: {
    backtest: {
      when: 'typed',
      capability: backtestCapability,
      call: ({ rules }) => ({ method: 'POST', path: 'alert-rule/backtest', body: { rules }, changesNothing: true }),
      report: backtestReport,
    },
  },
  actions: {
    ...switchActions({ path: 'alert-rule', field: 'enable', scope: 'nezha:alertrule:write', input }),
    test,
    backtest,
    'copy-rules': copyRules,
  },
})
