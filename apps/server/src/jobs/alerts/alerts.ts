import { TriggerMode } from '@qd/core/resources'
import type { Base, Engine, LiveState } from '../../services.ts'
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
  let isWorking = false
  let ticks = 0
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

  function watchAll() {
    const all = servers.all()
    const ids = new Set(all.map(({ id }) => id))
    for (const id of subjects.keys()) if (!ids.has(id)) subjects.delete(id)
    for (const { id, owner_id } of all) subjectOf(id, owner_id)
    for (const rule of rules.values()) watch(rule)
    knownAccounts = accounts.version()
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

  async function judgeAll() {
    if (accounts.version() !== knownAccounts) watchAll()
    const now = clock.now()
    for (const subject of subjects.values()) subject.sample = look(subject)
    let began = performance.now()
    for (const rule of [...rules.values()]) {
      const { id } = rule.row
      const { pairs } = rule
      for (let first = 0; first < pairs.length; first += mostAtOnce) {
        if (performance.now() - began > sliceMs) {
          await new Promise((resolve) => setImmediate(resolve))
          began = performance.now()
        }
        if (rules.get(id) !== rule || rule.pairs !== pairs) break
        try {
          for (const pair of pairs.slice(first, first + mostAtOnce)) judgePair(rule, pair, now)
        } catch (error) {
          if (!broken.has(id)) log.error({ err: error, alertRuleId: id }, 'an alert rule cannot be judged')
          broken.add(id)
          break
        }
      }
    }
  }

  function tick() {
    cancel = clock.after(everyMs, tick)
    if (isWorking) return
    isWorking = true
    ticks += 1
    void judgeAll().finally(() => {
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
        watchAll()
        for (const { source, rule_id: id, server_id: serverId } of incidents.all()) {
          const isWatched = rules.get(id)?.pairs.some(({ subject }) => subject.id === serverId)
          if (source === 'alert-rule' && !isWatched) incidents.drop({ source, sourceId: id, serverId })
        }
        unlisten = [
          alertRules.onChange(({ before, after }) => {
            const { id } = (after ?? before)!
            if (before) incidents.drop({ source: 'alert-rule', sourceId: id })
            take(id)
          }),
          servers.onChange(({ before, after }) => {
            if (before?.owner_id !== after?.owner_id) watchAll()
          }),
        ]
        cancel = clock.after(firstMs, tick)
      },
      trouble: () => (broken.size > 0 ? `${broken.size} alert rules cannot be judged` : null),
      async stop() {
        cancel()
        for (const stop of unlisten) stop()
      },
    },
  }
}
