import { hostMetricNames, hostMetrics, isHostMetric, isMountSeries, kindOfMetric, namedMetricOf } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import { mountPointsOf, mountsOf, resourceByName, summariesOf } from '@qd/core/resources'
import type { WatchedMetrics } from '@qd/core/schemas'
import { type HostKind, type HostReadings, type Said, within } from '../../act/hosts/readings.ts'
import type { Base } from '../../base.ts'
import type { Hub } from '../../fleet/agents/hub.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { History } from '../history/history.ts'
import { everyMs, mountEveryMs, staleIntervals } from '../history/host-series.ts'

/** Metrics of hosts that are wanted of a server: those of `hostMetrics`, and named ones such as `unit_down:nginx`. */
export interface Wanted {
  readonly serverId: number
  readonly metrics: readonly string[]
}

/** Metrics made from records of hosts, read while they are wanted. Source: docs/reference/host-resources.md. */
export type WatchedHosts = ReturnType<typeof createWatchedHosts>

/** How long a question keeps its metrics wanted. Clients ask again before. */
const askedMs = 5 * 60_000
const roundMs = 5_000
/** After a start, or with a new rule, hosts are first read within this time, one after another. */
const spreadMs = 30_000
/** A host that couldn't be read is tried again after this time, then after twice as long, and so on. */
const retryMs = 60_000
/** The longest of these times, and that of a host that has no such records or doesn't let them be read. */
const restMs = 10 * 60_000
/** Metrics of single records of a host that are kept, such as `unit_down:nginx`. */
const maxNamed = 32

interface Reading {
  /** When it is due, and when it was read, epoch ms. */
  dueAt: number
  readAt: number
  /** How often it couldn't be read since. */
  failures: number
  values: ReadonlyMap<string, number>
  /** Named metrics that the last reading was asked for. */
  named: ReadonlySet<string>
}

interface Host {
  /** By kind. */
  readonly readings: Map<string, Reading>
  /** What is being read, or about to be, by kind; one after another. */
  readonly coming: Map<string, Promise<void>>
  last: Promise<void>
  shown: WatchedMetrics
  version: number
  mountPoints: ReturnType<typeof mountPointsOf>
  /** Its filesystems when their use was last kept, by series. */
  mounts: { readonly at: number; readonly series: ReadonlySet<string> } | null
}

const nothing: WatchedMetrics = {}
const never = { dueAt: 0, readAt: Number.NEGATIVE_INFINITY, failures: 0, values: new Map(), named: new Set<string>() }

type Kinds = Map<string, Set<string>>

export function createWatchedHosts(
  { clock }: Pick<Base, 'clock'>,
  {
    hub,
    readings,
    history,
  }: {
    hub: Pick<Hub, 'connected'>
    readings: Pick<HostReadings, 'sample' | 'onRead'>
    history: Pick<History, 'host'>
  },
) {
  const hosts = new Map<number, Host>()
  /** By server and metric: until when, epoch ms. */
  const asked = new Map<number, Map<string, number>>()
  const sources: (() => Iterable<Wanted>)[] = []
  const changed = createListeners<[serverId: number]>()
  /** Metrics by server and kind. */
  let wanted = new Map<number, Kinds>()
  let version = 0
  let cancel = () => {}

  function hostOf(serverId: number): Host {
    const known = hosts.get(serverId)
    if (known) return known
    const host: Host = {
      ...{ readings: new Map(), coming: new Map(), last: Promise.resolve() },
      ...{ shown: nothing, version: 0, mountPoints: mountPointsOf([]), mounts: null },
    }
    hosts.set(serverId, host)
    return host
  }

  const isStale = (kind: string, { readAt }: Reading) => clock.now() - readAt > staleIntervals * everyMs(kind)

  /** Tells what is known now. */
  function show(serverId: number, host: Host) {
    const shown: Record<string, number | string> = {}
    for (const [kind, reading] of host.readings) {
      if (isStale(kind, reading)) continue
      for (const [metric, value] of reading.values) if (isHostMetric(metric)) shown[metric] = value
    }
    const { fullest, filling } = host.mountPoints
    if ('fs_used_max' in shown && fullest !== null) shown.fullest = fullest
    if ('fs_full_in' in shown && filling !== null) shown.filling = filling
    if (isSame(host.shown, shown)) return
    host.shown = shown
    version += 1
    host.version = version
    changed.notify(serverId)
  }

  readings.onRead((kind, serverId, said) => {
    const metrics = wanted.get(serverId)?.get(kind.name)
    const host = metrics ? hostOf(serverId) : hosts.get(serverId)
    if (!host || !(metrics || host.readings.has(kind.name))) return
    const now = clock.now()
    const named = new Set([...(metrics ?? [])].filter(namedMetricOf))
    if ('rows' in said) {
      const values = valuesOf(kind.name, named, said)
      if (kind.name === 'filesystem') host.mountPoints = mountPointsOf(said.rows)
      if (metrics) keep(serverId, host, kind, { values, rows: said.rows })
      host.readings.set(kind.name, { readAt: now, dueAt: now + everyMs(kind.name), failures: 0, values, named })
    } else if (['not supported', 'refused', 'no permission'].includes(said.state))
      host.readings.set(kind.name, { ...never, readAt: now, dueAt: now + restMs, named })
    else {
      // What was read before counts until it is too old.
      const before = host.readings.get(kind.name) ?? never
      const dueAt = now + Math.min(restMs, retryMs * 2 ** before.failures)
      host.readings.set(kind.name, { ...before, dueAt, failures: before.failures + 1 })
    }
    show(serverId, host)
  })

  /** Keeps in history what was read because it's wanted. */
  function keep(
    serverId: number,
    host: Host,
    kind: HostKind,
    { values, rows }: { values: Reading['values']; rows: Parameters<typeof mountsOf>[0] },
  ) {
    let left = maxNamed
    // The use of filesystems is kept below, less often.
    history.host(
      serverId,
      [...values].filter(([metric]) => isHostMetric(metric) || (!isMountSeries(metric) && left-- > 0)),
    )
    const before = host.mounts
    const now = clock.now()
    if (kind.name !== 'filesystem' || (before && Math.abs(now - before.at) < mountEveryMs)) return
    const uses = [...mountsOf(rows)].map(([{ used }, series]) => [series, Number(used)] as const)
    host.mounts = { at: now, series: new Set(uses.map(([series]) => series)) }
    // What comes and goes, such as mounts of pods, would be a new series each time.
    history.host(
      serverId,
      uses.filter(([series]) => before === null || before.series.has(series)),
    )
  }

  function collect() {
    const now = clock.now()
    wanted = new Map()
    for (const [serverId, metrics] of asked) {
      for (const [metric, until] of metrics) if (until <= now) metrics.delete(metric)
      if (metrics.size === 0) asked.delete(serverId)
      want(wanted, serverId, metrics.keys())
    }
    for (const source of sources) for (const { serverId, metrics } of source()) want(wanted, serverId, metrics)
  }

  /** Reads a kind of a host after what is read of it now. */
  function readNext(serverId: number, host: Host, kind: string): Promise<void> {
    const coming = host.coming.get(kind)
    if (coming) return coming
    const reading = host.last.then(async () => {
      if (hub.connected(serverId)) await readings.sample(kindNamed(kind), serverId).catch(() => {})
      host.coming.delete(kind)
      const after = host.readings.get(kind) ?? never
      // It went offline meanwhile.
      if (after.dueAt <= clock.now()) host.readings.set(kind, { ...after, dueAt: clock.now() + retryMs })
    })
    host.coming.set(kind, reading)
    host.last = reading
    return reading
  }

  /** What is due of a host. `first`: when a kind that was never read is due. */
  function readDue(serverId: number, kinds: Kinds, first: number): Promise<void>[] {
    if (!hub.connected(serverId)) return []
    const host = hostOf(serverId)
    return [...kinds].flatMap(([kind, metrics]) => {
      const known = host.readings.get(kind)
      const reading = known ?? { ...never, dueAt: first }
      if (!known) host.readings.set(kind, reading)
      const isNew = reading.values.size > 0 && [...metrics].some((one) => namedMetricOf(one) && !reading.named.has(one))
      return isNew || reading.dueAt <= clock.now() ? [readNext(serverId, host, kind)] : []
    })
  }

  function round() {
    cancel = clock.after(roundMs, round)
    collect()
    // Spread, so that a start doesn't ask all hosts at once.
    for (const [serverId, kinds] of wanted) {
      const first = clock.now() + ((serverId * 7919) % spreadMs)
      void Promise.all(readDue(serverId, kinds, first))
    }
    for (const [serverId, host] of hosts) {
      show(serverId, host)
      if (!wanted.has(serverId) && Object.keys(host.shown).length === 0 && host.coming.size === 0)
        hosts.delete(serverId)
    }
  }

  return {
    /** Those of `hostMetrics` by name; unknown ones are absent. The same object while nothing changes. */
    of: (serverId: number) => hosts.get(serverId)?.shown ?? nothing,
    /** One metric, named ones included; null if unknown. */
    valueOf(serverId: number, metric: string): number | null {
      const kind = kindOfMetric(metric)
      const reading = kind && hosts.get(serverId)?.readings.get(kind)
      return reading && !isStale(kind, reading) ? (reading.values.get(metric) ?? null) : null
    },
    versionOf: (serverId: number) => hosts.get(serverId)?.version ?? 0,
    version: () => version,
    onChange: changed.add,
    /** Adds what is wanted all the time, collected anew at each round. */
    always: (source: () => Iterable<Wanted>) => void sources.push(source),
    /** Wants metrics for some minutes. Resolves when each that wasn't known was tried, or after `waitMs`. */
    async ask(metrics: readonly string[], servers: readonly number[], waitMs: number): Promise<void> {
      const now = clock.now()
      for (const serverId of servers) {
        const known = asked.get(serverId) ?? new Map<string, number>()
        for (const metric of metrics) known.set(metric, now + askedMs)
        asked.set(serverId, known)
        want(wanted, serverId, metrics)
      }
      const reading = servers.flatMap((serverId) => {
        const kinds: Kinds = want(new Map(), serverId, metrics).get(serverId) ?? new Map()
        const host = hosts.get(serverId)
        // One that waits for its turn is wanted at once.
        for (const kind of kinds.keys()) {
          const known = host?.readings.get(kind)
          if (host && known?.readAt === never.readAt && known.failures === 0) host.readings.delete(kind)
        }
        return readDue(serverId, kinds, now)
      })
      if (reading.length > 0 && waitMs > 0) await within(clock, waitMs, Promise.all(reading))
    },
    /** A command may have changed what runs there, or the agent what it can be asked for: reads it again soon. */
    expire(serverId: number): void {
      const now = clock.now()
      for (const [kind, reading] of hosts.get(serverId)?.readings ?? []) {
        const soonest = Math.max(now, reading.readAt + kindNamed(kind).host.shownMs)
        reading.dueAt = Math.min(reading.dueAt, soonest)
      }
    },
    engine: {
      name: 'watched-hosts',
      async start() {
        cancel = clock.after(roundMs, round)
      },
      async stop() {
        cancel()
      },
    },
  }
}

function kindNamed(name: string): HostKind {
  const { host } = defined(resourceByName(name))
  return { name, host: defined(host) }
}

function want(wanted: Map<number, Kinds>, serverId: number, metrics: Iterable<string>): Map<number, Kinds> {
  const kinds: Kinds = wanted.get(serverId) ?? new Map()
  for (const metric of metrics) {
    const kind = kindOfMetric(metric)
    if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(metric))
  }
  if (kinds.size > 0) wanted.set(serverId, kinds)
  return wanted
}

/** All metrics of a kind, and the named ones that are wanted. */
function valuesOf(kind: string, named: Iterable<string>, { rows, left, error }: Extract<Said, { rows: unknown }>) {
  const metrics = [...hostMetricNames.filter((metric) => hostMetrics[metric].of === kind), ...named]
  return summariesOf(metrics, rows, left === 0 && !error)
}

function isSame(before: WatchedMetrics, after: WatchedMetrics): boolean {
  const names = Object.keys(after)
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name])
}
