import { cycleSpan } from '@qd/core/fields'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { WatchedHosts } from '../hosts/watched.ts'
import type { IncidentPipe } from '../incidents/incidents.ts'
import type { Traffic } from '../traffic/traffic.ts'
import type { CycleCheck } from './conditions.ts'
import { judge } from './judge.ts'
import { type AlertMessage, eventOf, isRepeatTick, whatToSay } from './message.ts'
import { createWatching, type Pair, type WatchedRule } from './watched-rule.ts'

export type Alerts = ReturnType<typeof createAlerts>

/** Time for agents to reconnect after a start (contract engines 1.5). */
const firstMs = 13_000
const everyMs = 3000
const sliceMs = 4
const maxAtOnce = 100
/** Evaluates every rule on every server it watches, every 3 s, in slices. A rule that throws doesn't stop the others (behaviour S-50). */
export function createAlerts(
  base: Base,
  {
    live,
    traffic,
    incidents,
    messageOf,
    hosts,
  }: {
    live: LiveState
    traffic: Traffic
    incidents: IncidentPipe
    messageOf: AlertMessage
    hosts: Pick<WatchedHosts, 'valueOf' | 'always'>
  },
) {
  const { clock, log, servers, alertRules } = base
  const watching = createWatching(base, { live, traffic, incidents, hosts })
  const { rules } = watching
  const broken = new Set<number>()
  let isWorking = false
  let ticks = 0
  let problem: string | null = null
  let cancel = () => {}
  let unlisten: (() => void)[] = []

  hosts.always(function* () {
    for (const { asked, pairs } of rules.values())
      if (asked.length > 0) for (const { subject } of pairs) yield { serverId: subject.id, metrics: asked }
  })

  function judgePair(rule: WatchedRule, pair: Pair, now: number) {
    const { subject, memory } = pair
    const verdict = judge(rule.conditions, memory, subject.sample, { now, transferred: subject.transferred })
    if (verdict === 'failing' && !pair.isFailing) pair.since = now
    const says = whatToSay(pair, verdict, isRepeatTick(rule, ticks))
    if (says !== null) incidents[says](eventOf(rule, pair, says, messageOf))
    if (verdict === 'failing') pair.isSaid = true
    if (verdict !== 'unknown') pair.isFailing = verdict === 'failing'
  }

  function judgeSafely(rule: WatchedRule, pair: Pair, now: number) {
    const { id } = rule.row
    try {
      judgePair(rule, pair, now)
    } catch (error) {
      if (!broken.has(id)) log.error({ err: error, alertRuleId: id }, 'failed to evaluate alert rule')
      broken.add(id)
    }
  }

  async function judgeAll() {
    let began = performance.now()
    const turn = async () => {
      if (performance.now() - began <= sliceMs) return
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    if (watching.isStale()) {
      watching.readServers()
      for (const rule of [...rules.values()]) {
        if (rules.get(rule.row.id) === rule) watching.watch(rule)
        await turn()
      }
    }
    const now = clock.now()
    watching.readSamples()
    for (const rule of [...rules.values()]) {
      const { pairs } = rule
      for (let first = 0; first < pairs.length; first += maxAtOnce) {
        await turn()
        if (rules.get(rule.row.id) !== rule || rule.pairs !== pairs) break
        for (const pair of pairs.slice(first, first + maxAtOnce)) judgeSafely(rule, pair, now)
      }
    }
  }

  function tick() {
    cancel = clock.after(everyMs, tick)
    if (isWorking) return
    isWorking = true
    ticks += 1
    judgeAll()
      .then(() => {
        problem = null
      })
      .catch((error: unknown) => {
        if (problem === null) log.error({ err: error }, 'failed to evaluate alert rules')
        problem = 'failed to evaluate alert rules'
      })
      .finally(() => {
        isWorking = false
      })
  }

  return {
    /** Statistics of cycle conditions by rule ID, of servers that `sees` admits; null without any. */
    cycleStats(sees: (serverId: number) => boolean): Readonly<Record<string, CycleStats>> | null {
      const stats = [...rules.values()].flatMap((rule) => {
        const found = cycleStatsOf(rule, { sees, now: clock.now(), nameOf: (id) => servers.find(id)?.name ?? '' })
        return found ? [[String(rule.row.id), found] as const] : []
      })
      return stats.length > 0 ? Object.fromEntries(stats) : null
    },
    engine: {
      name: 'alerts',
      async start() {
        watching.takeAll()
        watching.readServers()
        for (const rule of rules.values()) watching.watch(rule)
        for (const { source, rule_id: id, server_id: serverId } of incidents.all()) {
          const isWatched = rules.get(id)?.pairs.some(({ subject }) => subject.id === serverId)
          if (source === 'alert-rule' && !isWatched) incidents.drop({ source, sourceId: id, serverId })
        }
        unlisten = [
          alertRules.onChange(({ id, before, after, isCleaning }) => {
            const rule = rules.get(id)
            if (isCleaning && after) {
              if (rule) watching.watch(Object.assign(rule, { row: after }))
              return
            }
            // A saved rule starts over (quirk Q7): its open incidents close without a notification.
            if (before) incidents.drop({ source: 'alert-rule', sourceId: id })
            broken.delete(id)
            watching.take(id)
          }),
          servers.onChange(({ before, after }) => {
            if (before?.owner_id !== after?.owner_id) watching.serversChanged()
          }),
        ]
        cancel = clock.after(firstMs, tick)
      },
      problem: () => problem,
      async stop() {
        cancel()
        for (const stop of unlisten) stop()
      },
    },
  }
}

/** Statistics of one cycle; times are RFC 3339 (contract http-api 4.5). */
interface CycleStats {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Bytes. */
  readonly max: number
  readonly min: number
  /** By server ID. */
  readonly server_name?: Readonly<Record<string, string>>
  readonly transfer?: Readonly<Record<string, number>>
  readonly next_update?: Readonly<Record<string, string>>
}

function cycleStatsOf(
  { row, conditions, pairs }: WatchedRule,
  { sees, now, nameOf }: { sees(serverId: number): boolean; now: number; nameOf(serverId: number): string },
): CycleStats | null {
  const index = conditions.findIndex(({ kind }) => kind === 'cycle')
  const condition = conditions[index]
  if (condition?.kind !== 'cycle') return null
  const checks = pairs
    .filter(({ subject }) => sees(subject.id))
    .map(({ subject, memory }) => ({ id: subject.id, check: memory[index] as CycleCheck }))
    .filter(({ check }) => check.value !== null)
  if (checks.length === 0) return null
  const { from, to } = cycleSpan(condition.cycle, now)
  const byServer = <T>(value: (entry: (typeof checks)[number]) => T) =>
    Object.fromEntries(checks.map((entry) => [String(entry.id), value(entry)]))
  return {
    name: row.name,
    from: toInstant(from),
    to: toInstant(to),
    max: condition.max,
    min: condition.min,
    server_name: byServer(({ id }) => nameOf(id)),
    transfer: byServer(({ check }) => check.value as number),
    next_update: byServer(({ check }) => toInstant(check.nextAt)),
  }
}
