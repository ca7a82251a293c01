import { TriggerMode } from '@qd/core/resources'
import type { Base } from '../../base.ts'
import type { Engine } from '../../engine.ts'
import type { LiveState } from '../../live/live-state.ts'
import type { IncidentPipe } from '../incidents/incidents.ts'
import type { IncidentEvent } from '../incidents/types.ts'
import type { Traffic } from '../traffic/traffic.ts'
import { type CycleStats, cycleStatsOf } from './cycle-stats.ts'
import { judge, readingOf } from './judge.ts'
import { type AlertMessage, mark } from './message.ts'
import { type Pair, type Subject, type WatchedRule, watchedRule, watchServers } from './watched-rule.ts'

/** Alert rules at work. */
export interface Alerts {
  /** What rules count in their present cycle, by rule id, of servers that `sees` lets through; null without any. */
  cycleStats(sees: (serverId: number) => boolean): Readonly<Record<string, CycleStats>> | null
  readonly engine: Engine
}

/** Agents are given this long to come back after a start (contract engines 1.5). */
const firstMs = 13_000
const everyMs = 3000
/** Other calls have their turn after this much work. */
const sliceMs = 4
/** Pairs of rule and server between two looks at the clock. */
const mostAtOnce = 100
/** A lasting failure is told of again with every so many samples: the mute lets a message through every 15 min at most. */
const repeatEvery = 5

/** Judges every rule on every server it watches, every 3 s, in slices. A rule that throws does not stop the others (behaviour S-50). */
export function createAlerts(
  base: Base,
  {
    live,
    traffic,
    incidents,
    messageOf,
  }: { live: LiveState; traffic: Traffic; incidents: IncidentPipe; messageOf: AlertMessage },
): Alerts {
  const { clock, log, servers, alertRules, accounts } = base
  const rules = new Map<number, WatchedRule>()
  const subjects = new Map<number, Subject>()
  /** Rules that cannot be judged. */
  const broken = new Set<number>()
  let knownAccounts = -1
  /** A server came, went or has another owner: looked at with the next tick, for they may be many. */
  let areServersNew = false
  let isWorking = false
  let ticks = 0
  let trouble: string | null = null
  let cancel = () => {}
  let unlisten: (() => void)[] = []

  function subjectOf(id: number, ownerId: number): Subject {
    const known = subjects.get(id)
    if (known?.ownerId === ownerId) return known
    const subject: Subject = {
      id,
      ownerId,
      sample: { host: {}, state: {}, lastActive: null },
      transferred: (direction, from) => traffic.since(id, direction, from),
    }
    subjects.set(id, subject)
    return subject
  }

  function watch(rule: WatchedRule) {
    const { id, owner_id } = rule.row
    const gone = watchServers(rule, subjects.values(), {
      reachesAll: accounts.isAdmin(owner_id),
      isOpen: (serverId) => incidents.isOpen({ source: 'alert-rule', sourceId: id, serverId }),
    })
    for (const serverId of gone) incidents.drop({ source: 'alert-rule', sourceId: id, serverId })
  }

  function readServers() {
    const all = servers.all()
    const ids = new Set(all.map(({ id }) => id))
    for (const id of subjects.keys()) if (!ids.has(id)) subjects.delete(id)
    for (const { id, owner_id } of all) subjectOf(id, owner_id)
    knownAccounts = accounts.version()
    areServersNew = false
  }

  /** A rule that was saved begins anew (quirk Q7): what it had open is closed without a word. */
  function take(id: number) {
    rules.delete(id)
    broken.delete(id)
    const row = alertRules.find(id)
    const rule = row && watchedRule(row)
    if (!rule) return
    rules.set(id, rule)
    watch(rule)
  }

  function eventOf({ row, conditions }: WatchedRule, { subject, memory }: Pair, isFailing: boolean): IncidentEvent {
    const { id: serverId, sample } = subject
    const { id: sourceId, owner_id: ownerId, name, notification_group_id: groupId } = row
    return {
      source: 'alert-rule',
      sourceId,
      serverId,
      ownerId,
      name,
      groupId,
      notify: true,
      message: messageOf(isFailing ? mark.failing : mark.recovered, serverId, name),
      mute: `alert ${sourceId} ${serverId}`,
      tasks: isFailing ? row.fail_trigger_tasks : row.recover_trigger_tasks,
      reading: readingOf(conditions, memory, sample),
      withServer: true,
      error: '',
      repeats: row.trigger_mode === TriggerMode.always,
    }
  }

  function judgePair(rule: WatchedRule, pair: Pair, now: number) {
    const { subject, memory } = pair
    const verdict = judge(rule.conditions, memory, subject.sample, { now, transferred: subject.transferred })
    if (verdict === 'failing') {
      const { id, trigger_mode: mode } = rule.row
      const repeats = mode === TriggerMode.always && (ticks + id) % repeatEvery === 0
      if (!pair.isFailing || !pair.isSaid || repeats) incidents.failing(eventOf(rule, pair, true))
      pair.isFailing = true
      pair.isSaid = true
    } else if (verdict === 'passing' && pair.isFailing) {
      incidents.recovered(eventOf(rule, pair, false))
      pair.isFailing = false
    }
  }

  function look({ id, sample }: Subject): Subject['sample'] {
    const host = live.hostOf(id)
    const state = live.sampleOf(id)
    const lastActive = live.lastActive(id)
    if (sample.state === state && sample.host === host && sample.lastActive === lastActive) return sample
    return { host, state, lastActive }
  }

  /** Judges one rule on one server; the first error of a rule is logged. */
  function judgeSafely(rule: WatchedRule, pair: Pair, now: number) {
    const { id } = rule.row
    try {
      judgePair(rule, pair, now)
    } catch (error) {
      if (!broken.has(id)) log.error({ err: error, alertRuleId: id }, 'an alert rule cannot be judged')
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
    if (areServersNew || accounts.version() !== knownAccounts) {
      readServers()
      for (const rule of [...rules.values()]) {
        if (rules.get(rule.row.id) === rule) watch(rule)
        await turn()
      }
    }
    const now = clock.now()
    for (const subject of subjects.values()) subject.sample = look(subject)
    for (const rule of [...rules.values()]) {
      const { pairs } = rule
      for (let first = 0; first < pairs.length; first += mostAtOnce) {
        await turn()
        if (rules.get(rule.row.id) !== rule || rule.pairs !== pairs) break
        for (const pair of pairs.slice(first, first + mostAtOnce)) judgeSafely(rule, pair, now)
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
        trouble = null
      })
      .catch((error: unknown) => {
        if (trouble === null) log.error({ err: error }, 'alert rules cannot be judged')
        trouble = 'alert rules cannot be judged'
      })
      .finally(() => {
        isWorking = false
      })
  }

  return {
    cycleStats(sees) {
      const stats = [...rules.values()].flatMap((rule) => {
        const found = cycleStatsOf(rule, { sees, now: clock.now(), nameOf: (id) => servers.find(id)?.name ?? '' })
        return found ? [[String(rule.row.id), found] as const] : []
      })
      return stats.length > 0 ? Object.fromEntries(stats) : null
    },
    engine: {
      name: 'alerts',
      async start() {
        for (const row of alertRules.all()) {
          const rule = watchedRule(row)
          if (rule) rules.set(row.id, rule)
        }
        readServers()
        for (const rule of rules.values()) watch(rule)
        for (const { source, rule_id: id, server_id: serverId } of incidents.all()) {
          const isWatched = rules.get(id)?.pairs.some(({ subject }) => subject.id === serverId)
          if (source === 'alert-rule' && !isWatched) incidents.drop({ source, sourceId: id, serverId })
        }
        unlisten = [
          alertRules.onChange(({ before, after, isCleaning }) => {
            const { id } = (after ?? before)!
            const rule = rules.get(id)
            if (isCleaning && after) return void (rule && Object.assign(rule, { row: after }))
            if (before) incidents.drop({ source: 'alert-rule', sourceId: id })
            take(id)
          }),
          servers.onChange(({ before, after }) => {
            if (before?.owner_id !== after?.owner_id) areServersNew = true
          }),
        ]
        cancel = clock.after(firstMs, tick)
      },
      // One rule that cannot be judged is no reason to take the server for ill: it is logged.
      trouble: () => trouble,
      async stop() {
        cancel()
        for (const stop of unlisten) stop()
      },
    },
  }
}
