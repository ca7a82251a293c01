import type { TaskResult } from '@qd/protocol/agent'
import type { Base } from '../../base.ts'
import type { Hub } from '../../fleet/agents/hub.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { ServiceRow, StoreChange } from '../../store/records/rows.ts'
import type { History } from '../history/history.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Notices } from '../notices/types.ts'
import { decide, type Effect, emptyState, type Failure, type MonitorState, type ProbeResult } from './decide.ts'
import { createCoverage, createDispatcher } from './dispatch.ts'
import { isSilent, type Reporter, type ServiceFigures, toFigures } from './figures.ts'
import { isUnable, readAnswer } from './probe-answer.ts'
import { createStateWrites, loadStates } from './state-store.ts'
import { everyMsOf, firstTurn, isOtherProbe, type Turn, takeDue, turnsAfter } from './turns.ts'
import { sumOf } from './window.ts'

const announceEveryMs = 30_000
/** How often the wall clock is checked for jumps. */
const checkEveryMs = 30_000

export interface MonitorParts {
  hub: Hub
  history: Pick<History, 'service' | 'serviceDays' | 'serviceTrend'>
  incidents: Incidents
  notices: Notices
}

export type Monitors = ReturnType<typeof createMonitors>

export function createMonitors(
  base: Pick<Base, 'services' | 'servers' | 'accounts' | 'announcements' | 'clock' | 'db' | 'log'>,
  { hub, history, incidents, notices }: MonitorParts,
) {
  const { services, servers, announcements, clock, db } = base
  const coverageOf = createCoverage(base)
  const dispatcher = createDispatcher({ hub, clock })
  const entries = createEntries(clock)
  const writes = createStateWrites(base, (id) => {
    const entry = entries.find(id)
    return entry && services.find(id) ? { state: entry.state, lastResultAt: entry.lastResultAt ?? 0 } : null
  })
  let turns: readonly Turn[] = []
  let cancelCheck = () => {}
  let isRunning = false

  function figuresNow(service: ServiceRow, entry: Entry): ServiceFigures {
    return toFigures({
      ...entry,
      coverage: coverageOf(service),
      everyMs: everyMsOf(service),
      now: clock.now(),
      days: history.serviceDays(service.id),
      trend: history.serviceTrend(service.id),
      nameOf: (id) => servers.find(id)?.name ?? '',
    })
  }

  function refresh(service: ServiceRow, entry: Entry) {
    entry.figures = figuresNow(service, entry)
    entry.figuresAt = clock.now()
    entry.version += 1
    announcements.announce({ resource: 'service', id: service.id, ownerId: service.owner_id })
  }

  function result(serverId: number, answer: TaskResult) {
    const sent = dispatcher.take(serverId, answer)
    const service = sent && services.find(sent.serviceId)
    // Since the probe was sent, the service may have been edited, or its servers moved to another owner.
    if (!service || service.target !== sent.target || BigInt(service.type) !== answer.type) return
    if (!coverageOf(service).has(serverId)) return
    const entry = entries.of(service.id)
    const now = clock.now()
    const { ok, delay, data, address } = readAnswer(answer)
    if (isUnable({ ok, data })) return unable(service, serverId, data)
    history.service({ serviceId: service.id, serverId, at: now, delay, ok })
    // Messages name the failing reporter, even if the deciding result was a success.
    const failed = ok ? newestFailure(service, entry, serverId) : null
    const found = {
      at: now,
      serverId,
      serverName: servers.find(serverId)?.name ?? '',
      ok,
      delay: delay ?? 0,
      data,
      countedIn: entry.reporters.get(serverId)?.countedIn ?? null,
      awaited: dispatcher.awaited(service.id),
      failed,
    }
    const before = entry.state
    const { state, effects, countedIn } = decide(before, service, found)
    const wasSilent = entry.lastResultAt === null || isSilent({ ...entry, everyMs: everyMsOf(service), now })
    entry.state = state
    entry.lastResultAt = now
    entry.reporters.set(serverId, { at: now, ok, isUnable: false, delay, error: ok ? '' : data, address, countedIn })
    applyEffects(effects, { service, result: found }, { incidents, notices })
    writes.changed(service.id, state.status !== before.status)
    const isDue = Math.abs(now - entry.figuresAt) >= announceEveryMs
    if (state.status !== before.status || wasSilent || entry.isWaitedFor || isDue) {
      entry.isWaitedFor = false
      refresh(service, entry)
    }
  }

  /** A reporter that can't probe doesn't count as a result; the service shows it. */
  function unable(service: ServiceRow, serverId: number, error: string) {
    const entry = entries.of(service.id)
    const before = entry.reporters.get(serverId)
    const nothing = { ok: false, delay: null, address: '', countedIn: null }
    entry.reporters.set(serverId, { ...nothing, at: clock.now(), isUnable: true, error })
    if (before?.error === error && !entry.isWaitedFor) return
    entry.isWaitedFor = false
    refresh(service, entry)
  }

  function newestFailure(service: ServiceRow, { reporters }: Entry, but: number): Failure | null {
    const coverage = coverageOf(service)
    const failing = [...reporters].filter(([id, one]) => id !== but && !one.ok && !one.isUnable && coverage.has(id))
    const newest = failing.sort(([, a], [, b]) => b.at - a.at)[0]
    return newest
      ? { serverId: newest[0], serverName: servers.find(newest[0])?.name ?? '', data: newest[1].error }
      : null
  }

  function fire(service: ServiceRow): number {
    const entry = entries.of(service.id)
    const asked = dispatcher.ask(service, coverageOf(service))
    const now = clock.now()
    entry.askedAt ??= now
    entry.isUnheard = asked === 0
    if (entry.isUnheard || isSilent({ ...entry, everyMs: everyMsOf(service), now })) {
      const { status, error } = figuresNow(service, entry)
      if (status !== entry.figures?.status || error !== entry.figures?.error) refresh(service, entry)
    }
    return asked
  }

  function check() {
    const { due, turns: next } = takeDue(turns, clock.now())
    turns = next
    for (const id of due) {
      const service = services.find(id)
      if (service) fire(service)
    }
    wait()
  }

  function wait() {
    cancelCheck()
    const next = Math.min(...turns.map(({ nextAt }) => nextAt))
    cancelCheck = clock.after(Math.min(checkEveryMs, Math.max(0, next - clock.now())), check)
  }

  function changed(change: StoreChange<ServiceRow>) {
    const { id, before, after } = change
    turns = turnsAfter(turns, change, clock.now())
    if (!after) {
      entries.remove(id)
      dispatcher.forget(id)
      incidents.drop({ source: 'service', sourceId: id })
    } else {
      const entry = entries.of(id)
      if (before && isOtherProbe(before, after)) {
        entries.clearResults(id)
        dispatcher.forget(id)
      }
      if (before) refresh(after, entry)
    }
    wait()
  }

  hub.onResult((serverId, answer) => {
    if (answer.type >= 1n && answer.type <= 3n) result(serverId, answer)
  })
  hub.onLost((serverId) => dispatcher.lost(serverId))
  servers.onChange(({ before, after }) => {
    if (before && !after) entries.forgetReporter(before.id)
  })
  services.onChange((change) => {
    if (isRunning) changed(change)
  })

  return {
    /** As last announced: at once after a change of status, else every 30 s at most. */
    figuresOf(service: ServiceRow): ServiceFigures {
      const entry = entries.of(service.id)
      entry.figures ??= figuresNow(service, entry)
      return entry.figures
    },
    versionOf: (id: number) => entries.find(id)?.version ?? 0,
    /** Over the last 15 min. */
    windowOf: (id: number) => sumOf(entries.find(id)?.state.rounds ?? []),
    coverageOf,
    /** Probes now. Returns the number of servers asked. */
    check(service: ServiceRow): number {
      entries.of(service.id).isWaitedFor = true
      return fire(service)
    },
    engine: {
      name: 'monitors',
      async start() {
        for (const [id, { state, lastResultAt }] of await loadStates(db)) {
          if (services.find(id)) Object.assign(entries.of(id), { state, lastResultAt, figures: null })
        }
        const now = clock.now()
        turns = services.all().map((service) => firstTurn(service.id, everyMsOf(service), now))
        isRunning = true
        wait()
        writes.start()
      },
      problem: writes.problem,
      async stop() {
        cancelCheck()
        dispatcher.stop()
        isRunning = false
        await writes.stop()
      },
    },
  }
}

function applyEffects(
  effects: readonly Effect[],
  { service, result }: { service: ServiceRow; result: ProbeResult },
  { incidents, notices }: { incidents: Incidents; notices: Notices },
): void {
  const { id, owner_id, name, notification_group_id: groupId } = service
  for (const effect of effects) {
    if (effect.kind === 'lift') notices.lift(effect.mute, groupId)
    else if (effect.kind === 'notice')
      notices.send({
        groupId,
        ownerId: owner_id,
        message: effect.message,
        serverId: result.serverId,
        mute: effect.mute,
      })
    else {
      const { kind, ...event } = effect
      const by = kind === 'failing' ? (result.failed ?? result) : result
      incidents[kind]({
        source: 'service',
        sourceId: id,
        serverId: by.serverId,
        ownerId: owner_id,
        name,
        groupId,
        ...event,
        reading: null,
        error: kind === 'failing' ? by.data : '',
        repeats: true,
        isNew: effects.some((other) => other.kind === 'lift' && other.mute === effect.mute),
      })
    }
  }
}

/** Runtime state of one monitor. Times are epoch ms. */
interface Entry {
  state: MonitorState
  readonly reporters: Map<number, Reporter>
  lastResultAt: number | null
  askedAt: number | null
  isUnheard: boolean
  /** Announce the next result at once, because a user waits for it. */
  isWaitedFor: boolean
  figures: ServiceFigures | null
  figuresAt: number
  version: number
}

function createEntries(clock: Pick<Clock, 'now'>) {
  const entries = new Map<number, Entry>()

  function of(id: number): Entry {
    const known = entries.get(id)
    if (known) return known
    const entry: Entry = {
      state: emptyState(clock.now()),
      reporters: new Map(),
      lastResultAt: null,
      askedAt: null,
      isUnheard: false,
      isWaitedFor: false,
      figures: null,
      figuresAt: 0,
      version: 0,
    }
    entries.set(id, entry)
    return entry
  }

  return {
    of,
    find: (id: number) => entries.get(id),
    remove: (id: number): void => void entries.delete(id),
    /** After a change of target or type, old results are void. */
    clearResults(id: number): void {
      const entry = of(id)
      entry.state = { ...entry.state, rounds: [], certificates: [] }
      entry.reporters.clear()
    },
    forgetReporter(serverId: number): void {
      for (const entry of entries.values()) {
        entry.reporters.delete(serverId)
        const { slow, fast } = entry.state
        if (slow.has(serverId) || fast.has(serverId)) entry.state = { ...entry.state, slow: new Set(), fast: new Set() }
      }
    },
  }
}
