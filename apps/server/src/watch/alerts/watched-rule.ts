import { kindOfMetric, Role } from '@qd/core/define'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { seesHosts } from '../../store/records/rights.ts'
import type { AlertRuleRow } from '../../store/records/rows.ts'
import type { WatchedHosts } from '../hosts/watched.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Traffic } from '../traffic/traffic.ts'
import { type Condition, readyConditions, type TransferredSince, watches } from './conditions.ts'
import { createMemory, type Memory } from './judge.ts'
import type { Sample } from './measure.ts'

export interface Subject {
  readonly id: number
  readonly ownerId: number
  sample: Sample
  readonly transferred: TransferredSince
}

export interface Pair {
  readonly subject: Subject
  readonly memory: Memory
  /** Failing now, or before the restart and not evaluated since. */
  isFailing: boolean
  /** Epoch ms of the current or last failure. */
  since: number | null
  isSaid: boolean
}

export interface WatchedRule {
  row: AlertRuleRow
  readonly conditions: readonly Condition[]
  /** Metrics for which hosts are read. */
  readonly asked: readonly string[]
  pairs: readonly Pair[]
}

/** Null if the rule is off or can never fire. */
export function watchedRule(row: AlertRuleRow): WatchedRule | null {
  const conditions = row.enable ? readyConditions(row.rules) : null
  const asked = (conditions ?? []).map(({ type }) => type).filter((type) => kindOfMetric(type) !== null)
  return conditions && { row, conditions, asked, pairs: [] }
}

export function watchServers(
  rule: WatchedRule,
  subjects: Iterable<Subject>,
  about: { seesAllServers: boolean; openSince(serverId: number): number | null },
): number[] {
  const { row, conditions, pairs } = rule
  const known = new Map(pairs.map((pair) => [pair.subject.id, pair]))
  const now: Pair[] = []
  for (const subject of subjects) {
    const { id, ownerId } = subject
    if (!(about.seesAllServers || ownerId === row.owner_id) || !watches(row.rules, id)) continue
    const pair = known.get(id)
    known.delete(id)
    if (pair?.subject === subject) {
      now.push(pair)
      continue
    }
    const since = about.openSince(id)
    now.push({ subject, memory: createMemory(conditions), isFailing: since !== null, since, isSaid: false })
  }
  rule.pairs = now
  return [...known.keys()]
}

export function createWatching(
  { servers, alertRules, accounts, settings }: Pick<Base, 'servers' | 'alertRules' | 'accounts' | 'settings'>,
  {
    live,
    traffic,
    incidents,
    hosts,
  }: { live: LiveState; traffic: Traffic; incidents: Incidents; hosts: Pick<WatchedHosts, 'valueOf'> },
) {
  const rules = new Map<number, WatchedRule>()
  const subjects = new Map<number, Subject>()
  let knownRights = ''
  let areServersNew = false

  function subjectOf(id: number, ownerId: number): void {
    if (subjects.get(id)?.ownerId === ownerId) return
    subjects.set(id, {
      id,
      ownerId,
      sample: { host: {}, state: {}, lastActive: null, hosts: (metric) => hosts.valueOf(id, metric) },
      transferred: (direction, from) => traffic.since(id, direction, from),
    })
  }

  const rights = () => `${accounts.version()} ${settings.get().members_see_hosts}`

  function watch(rule: WatchedRule) {
    const { id, owner_id } = rule.row
    const seesAllServers = accounts.isAdmin(owner_id)
    // An owner who may not know what runs on hosts has no servers for such a rule.
    const mayKnow = rule.asked.length === 0 || seesHosts(settings, { role: seesAllServers ? Role.admin : Role.user })
    const gone = watchServers(rule, mayKnow ? subjects.values() : [], {
      seesAllServers,
      openSince: (serverId) => incidents.openSince({ source: 'alert-rule', sourceId: id, serverId }),
    })
    for (const serverId of gone) incidents.drop({ source: 'alert-rule', sourceId: id, serverId })
  }

  function newest({ id, sample }: Subject): Subject['sample'] {
    const host = live.hostOf(id)
    const state = live.sampleOf(id)
    const lastActive = live.lastActive(id)
    if (sample.state === state && sample.host === host && sample.lastActive === lastActive) return sample
    return { ...sample, host, state, lastActive }
  }

  return {
    rules,
    /** Assigns its targets to a rule. Incidents of others close without a notification. */
    watch,
    take(id: number): void {
      rules.delete(id)
      const row = alertRules.find(id)
      const rule = row && watchedRule(row)
      if (!rule) return
      rules.set(id, rule)
      watch(rule)
    },
    takeAll(): void {
      for (const row of alertRules.all()) {
        const rule = watchedRule(row)
        if (rule) rules.set(row.id, rule)
      }
    },
    isStale: () => areServersNew || rights() !== knownRights,
    serversChanged(): void {
      areServersNew = true
    },
    readServers(): void {
      const all = servers.all()
      const ids = new Set(all.map(({ id }) => id))
      for (const id of subjects.keys()) if (!ids.has(id)) subjects.delete(id)
      for (const { id, owner_id } of all) subjectOf(id, owner_id)
      knownRights = rights()
      areServersNew = false
    },
    readSamples(): void {
      for (const subject of subjects.values()) subject.sample = newest(subject)
    },
  }
}
