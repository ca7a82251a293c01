import { isDeepStrictEqual } from 'node:util'
import { type Held, hold, isPressed } from '@qd/core/resources'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { Unmeasured } from '@qd/protocol/unmeasured'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { LastReport, ServerRecords, ServerRow } from '../../store/records/rows.ts'

interface Entry {
  host: Host
  /** 0 before the first host report. */
  boot: number
  state: HostState
  geoip: GeoIp
  lastActive: number | null
  lastSeen: number | null
  pressed: Pressed
  maintenance: Maintenance
  version: number
}

/** Whether a metric is at its bad limit. `turnedAt`: epoch ms of the first sample that says otherwise. */
interface Pressed extends Held {
  turnedAt: number
  /** Stays the same object while unchanged. */
  wire: Pressure
}

export type LiveStore = ReturnType<typeof createLiveStore>

/** What of it others read. */
export type LiveState = Omit<
  LiveStore,
  'reportHost' | 'reportState' | 'reportUnmeasured' | 'reportGeoIp' | 'droppedFigure' | 'maintain' | 'silent' | 'forget'
>

/** Live metrics in memory, in the wire's shape (zeros left out); after a start, the stored reports (agent contract 2.8, 10.3). */
export function createLiveStore({ clock, servers }: { clock: Clock; servers: ServerRecords }) {
  const entries = new Map<number, Entry>()
  const listeners = createListeners<[id: number]>()
  let version = 0
  let dropped = 0

  function storedOf(id: number): Pick<Entry, 'host' | 'geoip'> {
    const { host = nothing, geoip = noAddress } = servers.find(id) ?? {}
    return { host, geoip: geoip.ip ? geoip : noAddress }
  }

  /** Host reports don't contain these. */
  function gapsOf(id: number): Pick<Host, 'unmeasured' | 'silent_disks'> {
    const { unmeasured, silent_disks } = entries.get(id)?.host ?? {}
    return { ...(unmeasured && { unmeasured }), ...(silent_disks && { silent_disks }) }
  }

  function entryOf(id: number): Entry {
    let entry = entries.get(id)
    if (!entry) {
      entry = {
        ...storedOf(id),
        boot: 0,
        state: {},
        lastActive: null,
        lastSeen: null,
        pressed: unpressed,
        maintenance: unplanned,
        version: 0,
      }
      entries.set(id, entry)
    }
    return entry
  }

  function change(id: number, fields: Partial<Entry>) {
    changed(id, Object.assign(entryOf(id), fields))
  }

  function changed(id: number, entry: Entry) {
    version += 1
    entry.version = version
    listeners.notify(id)
  }

  return {
    /** The last report, also from before a restart; `{}` without one. */
    hostOf: (id: number): Host => (entries.get(id) ?? storedOf(id)).host,
    /** The newest sample, kept while offline. */
    sampleOf: (id: number): HostState => entries.get(id)?.state ?? nothing,
    geoipOf: (id: number) => (entries.get(id) ?? storedOf(id)).geoip,
    pressureOf: (id: number) => (entries.get(id)?.pressed ?? unpressed).wire,
    /** Stays the same object while unchanged. */
    maintenanceOf: (id: number) => entries.get(id)?.maintenance ?? unplanned,
    /** Epoch ms of the last report; null while offline. */
    lastActive: (id: number) => entries.get(id)?.lastActive ?? null,
    /** Epoch ms of the last report ever. */
    lastSeen: (id: number) => entries.get(id)?.lastSeen ?? servers.find(id)?.last_seen_at ?? null,
    versionOf: (id: number) => entries.get(id)?.version ?? 0,
    version: () => version,
    onChange: listeners.add,
    /** Ignores reports of an earlier boot; a later boot clears the sample. */
    reportHost(id: number, host: Host): void {
      const known = entries.get(id)?.boot ?? 0
      const boot = host.boot_time ?? 0
      if (boot < known - jitterSeconds) return
      const isOther = boot > known + jitterSeconds
      change(id, {
        host: { ...host, ...gapsOf(id) },
        boot,
        ...(isOther && { state: {}, lastActive: null, pressed: unpressed }),
      })
    },
    // Mutates the entry: this runs for every sample of every server.
    reportState(id: number, state: HostState): void {
      const now = clock.now()
      const entry = entryOf(id)
      entry.state = state
      entry.lastActive = now
      entry.lastSeen = now
      entry.pressed = nextPressed(entry.pressed, isPressed({ host: entry.host, state }), now)
      changed(id, entry)
    },
    /** Metrics and disks that the agent can't measure, until its next statement. */
    reportUnmeasured(id: number, { metrics, disks }: Unmeasured): void {
      const { host } = entries.get(id) ?? storedOf(id)
      const { unmeasured = [], silent_disks = [], ...rest } = host
      if (isDeepStrictEqual([unmeasured, silent_disks], [metrics, disks])) return
      const gaps = {
        ...(metrics.length > 0 && { unmeasured: [...metrics] }),
        ...(disks.length > 0 && { silent_disks: [...disks] }),
      }
      change(id, { host: { ...rest, ...gaps } })
    },
    maintain(id: number, maintenance: Maintenance): void {
      if (!isDeepStrictEqual(maintenance, entries.get(id)?.maintenance ?? unplanned)) change(id, { maintenance })
    },
    /** Implausible metrics since the start. */
    dropped: () => dropped,
    droppedFigure(): void {
      dropped += 1
    },
    reportGeoIp: (id: number, geoip: GeoIp) => change(id, { geoip }),
    silent: (id: number) => change(id, { lastActive: null }),
    forget(id: number): void {
      if (!entries.delete(id)) return
      version += 1
      listeners.notify(id)
    },
  }
}

const unpressed: Pressed = { is: false, against: 0, turnedAt: 0, wire: { since: null } }

/** A warning starts with the first sample that said so. */
function nextPressed(before: Pressed, says: boolean, now: number): Pressed {
  const { is, against } = hold(before, says)
  if (is === before.is && against === before.against) return before
  const turnedAt = against === 1 ? now : before.turnedAt
  if (is === before.is) return { ...before, against, turnedAt }
  return { is, against, turnedAt, wire: { since: is ? new Date(turnedAt).toISOString() : null } }
}

const jitterSeconds = 2
const nothing = {}
const unplanned: Maintenance = { until: null, next: null }
const noAddress: GeoIp = { ip: {} }

/** `since` null: no pressure. */
export interface Pressure {
  readonly since: string | null
}

/** Planned maintenance of a server; times in RFC 3339. */
export interface Maintenance {
  /** End of the one under way. */
  readonly until: string | null
  /** The first of those to come within a week. */
  readonly next: { readonly from: string; readonly until: string } | null
}

const tickMs = 1000
const everyMs = 60_000
/** Per tick, so that a fleet that connected together doesn't block other calls once a minute. */
const maxAtOnce = (servers: number) => Math.max(20, Math.ceil(servers / 30))

/** Stores reports: once a minute while a server reports, at once when it goes silent or its facts change. */
export function createLastSeen(
  { servers, clock, log }: Pick<Base, 'servers' | 'clock' | 'log'>,
  live: LiveState,
): Engine {
  const moved = new Set<number>()
  let problem: string | null = null
  let cancel = () => {}
  let unlisten = () => {}

  const compared = new Map<number, Pick<ServerRow, 'host' | 'geoip'>>()
  const isOther = (id: number) => {
    const row = servers.find(id)
    const [host, geoip] = [live.hostOf(id), live.geoipOf(id)]
    const last = compared.get(id)
    if (!row || (last?.host === host && last.geoip === geoip)) return false
    if (!isDeepStrictEqual([row.host, row.geoip], [host, geoip])) return true
    compared.set(id, { host, geoip })
    return false
  }
  const isDue = (id: number) => {
    const stored = servers.find(id)?.last_seen_at ?? 0
    return isOther(id) || live.lastActive(id) === null || clock.now() - stored >= everyMs || clock.now() < stored
  }
  async function write(ids: readonly number[]) {
    for (const id of ids) moved.delete(id)
    try {
      const reports = ids.flatMap((id): [number, LastReport][] => {
        const at = live.lastSeen(id)
        if (at === null) return []
        return [[id, { last_seen_at: at, ...(isOther(id) && { host: live.hostOf(id), geoip: live.geoipOf(id) }) }]]
      })
      await servers.seen(new Map(reports))
      problem = null
    } catch (error) {
      for (const id of ids) moved.add(id)
      problem = 'failed to write last-seen times'
      log.error({ err: error }, problem)
    }
  }
  async function tick() {
    const due = [...moved].filter(isDue)
    const silent = due.filter((id) => live.lastActive(id) === null)
    await write([...new Set([...silent, ...due])].slice(0, maxAtOnce(servers.all().length)))
    cancel = clock.after(tickMs, () => void tick())
  }
  return {
    name: 'last-seen',
    async start() {
      unlisten = live.onChange((id) => moved.add(id))
      cancel = clock.after(tickMs, () => void tick())
    },
    problem: () => problem,
    async stop() {
      unlisten()
      cancel()
      await write([...moved])
    },
  }
}
