import type { RuleCondition } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { isCycleType, toProblems } from '@qd/core/fields'
import { alertRule, ruleConditions } from '@qd/core/resources'
import { type Caller, createPersonLimit } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { owns, ownsServer, seesHosts } from '../../store/records/rights.ts'
import type { AlertRuleRow, Records } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import { watches } from '../../watch/alerts/conditions.ts'
import { mark } from '../../watch/alerts/message.ts'
import type { Delivery } from '../../watch/notices/types.ts'
import type { Container } from '../container.ts'
import { defineEntity, type Entity, storedFields } from './entity.ts'
import type { StoreParts, Surroundings } from './store.ts'

const maxBacktests = 2

export const alertRules: Entity<'alert-rule', AlertRuleRow> = defineEntity(alertRule, {
  table: 'alert_rules',
  rules: rulesOf,
})

function rulesOf(container: Container, { servers, clock, settings }: Surroundings, rules: Records<AlertRuleRow>) {
  const { incidents, announcements, notices, messageOf } = container
  const limited = createPersonLimit(maxBacktests)

  function test(row: AlertRuleRow, serverId: number): Promise<readonly Delivery[]> {
    return new Promise((resolve) =>
      notices.send({
        groupId: row.notification_group_id,
        ownerId: row.owner_id,
        message: messageOf(mark.test, serverId, row.name),
        serverId,
        mute: null,
        onDelivered: resolve,
      }),
    )
  }

  /** The requested server, else the first visible one that the rule watches. */
  function testServer({ viewer }: Caller, row: AlertRuleRow, wanted: number): number {
    const visible = servers.all().filter((server) => ownsServer(viewer, server))
    const found =
      wanted === 0
        ? (visible.find(({ id }) => watches(row.rules, id)) ?? visible[0])
        : visible.find(({ id }) => id === wanted)
    if (!found) throw new AppError('notFound', { resource: 'server', id: wanted })
    return found.id
  }

  function conditionsOf({ viewer }: Caller, body: unknown): { rules: readonly RuleCondition[]; ownerId: number } {
    const { id, rules: typed } = (body ?? {}) as { id?: unknown; rules?: unknown }
    if (typeof id !== 'number') return { rules: readRules(typed, clock.now()), ownerId: viewer.id as number }
    const row = rules.find(id)
    if (!row || !owns(viewer, row)) throw new AppError('notFound', { resource: alertRule.name, id })
    return { rules: row.rules, ownerId: row.owner_id }
  }

  async function backtest(caller: Caller, body: unknown) {
    const asked = conditionsOf(caller, body)
    const { viewer } = caller
    const rights = { within: viewer.servers ?? null, mayLookInto: seesHosts(settings, viewer) }
    return limited(caller, () => container.backtest({ ...asked, ...rights }))
  }

  return {
    byIds: true,
    fieldsOf: (row) => ({
      ...storedFields(alertRule, row),
      rules: row.rules.map(toWire),
      firing: incidents.failingServers(row.id),
    }),
    fieldsVersion: () => announcements.versionOf('alert-rule'),
    otherVersion: () => String(announcements.versionOf('alert-rule')),
    texts: {
      'rules.ruleCover': () => texts.permission,
      'rules.ruleDuration': () => texts.ruleDuration,
      'rules.ruleLong': () => texts.ruleLong,
      'rules.ruleInterval': () => texts.ruleInterval,
      'rules.ruleStart': () => texts.ruleStart,
      'rules.ruleNeeded': () => texts.ruleNeeded,
    },
    check: (input) => checkRules(input.rules as readonly RuleCondition[], clock.now()),
    edited: ({ id }) => id,
    actions: {
      async test(caller, row, { server_id }) {
        const deliveries = await test(row, testServer(caller, row, server_id as number))
        return { told: deliveries.map((part) => ({ ...part, at: toInstant(part.at) })) }
      },
    },
    calls: { backtest },
  } satisfies Partial<StoreParts<AlertRuleRow>>
}

/** Errors: `invalid`. */
function readRules(typed: unknown, now: number): readonly RuleCondition[] {
  const parsed = ruleConditions().safeParse(typed ?? [], { reportInput: true })
  if (!parsed.success) {
    const problems = toProblems(parsed.error).map((problem) => ({ ...problem, field: 'rules' }))
    throw new AppError('invalid', {}, { problems })
  }
  checkRules(parsed.data, now)
  return parsed.data
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Checks what needs the time: a cycle's start, with its offset. Errors: `invalid`. */
function checkRules(rules: readonly RuleCondition[], now: number): void {
  for (const [index, { type, cycle_start: start }] of rules.entries()) {
    if (!isCycleType(type)) continue
    const refuse = (code: 'ruleFuture' | 'ruleStart', text: string): never => {
      throw new AppError('invalid', { text }, { problems: [{ field: 'rules', code, params: { number: index + 1 } }] })
    }
    if (!rfc3339.test(start ?? '')) refuse('ruleStart', texts.ruleTime)
    if (Date.parse(start ?? '') > now) refuse('ruleFuture', texts.ruleFuture)
  }
}

/** Leaves out unset values (contract http-api 4.9). */
function toWire(rule: RuleCondition): RuleCondition {
  const empty = (value: unknown) =>
    value === undefined ||
    value === null ||
    value === 0 ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  if (!rule || typeof rule !== 'object') return rule
  const { type, cover, ...rest } = rule
  return { type, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => !empty(value))), cover }
}
