import { isDeepStrictEqual } from 'node:util'
import { type Held, hold, isPressed } from '@qd/core/resources'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { Unmeasured } from '@qd/protocol/unmeasured'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { ServerRecords } from '../../store/records/rows.ts'

/** Live figures with what the agent service writes. */
export interface LiveStore extends LiveState {
  /** A host report; one of an earlier boot than the known one is ignored, a later boot empties the sample. */
  reportHost(id: number, host: Host): void
  reportState(id: number, state: HostState): void
  /** What the states of this connection’s agent don’t hold, until it says otherwise. */
  reportUnmeasured(id: number, gaps: Unmeasured): void
  droppedFigure(): void
  reportGeoIp(id: number, geoip: GeoIp): void
  /** A maintenance window began for the server, changed or ended (null). */
  maintain(id: number, until: string | null): void
  silent(id: number): void
  forget(id: number): void
}

interface Entry {
  host: Host
  /** Of the newest host report in this process; 0 before the first. */
  boot: number
  state: HostState
  geoip: GeoIp
  lastActive: number | null
  lastSeen: number | null
  pressed: Pressed
  maintenance: string | null
  version: number
}

/** Whether a figure is at its bad limit. `turnedAt`: epoch ms of the first of the samples that say otherwise. */
interface Pressed extends Held {
  turnedAt: number
  /** Its text on the wire: the same object while it is the same. */
  wire: Pressure
}

/** Live figures of all servers in memory; after a start what was stored of their last reports. Source: agent contract 2.8, 10.3. */
export function createLiveStore({ clock, servers }: { clock: Clock; servers: ServerRecords }): LiveStore {
  const entries = new Map<number, Entry>()
  const listeners = createListeners<[id: number]>()
  let version = 0
  let dropped = 0

  function storedOf(id: number): Pick<Entry, 'host' | 'geoip'> {
    const { host = nothing, geoip = noAddress } = servers.find(id) ?? {}
    return { host, geoip: geoip.ip ? geoip : noAddress }
  }

  /** What the agent said that it can’t measure; its host reports don’t hold that. */
  function gapsOf(id: number): Pick<Host, 'unmeasured' | 'silent_disks'> {
    const { unmeasured, silent_disks } = entries.get(id)?.host ?? {}
    return { ...(unmeasured && { unmeasured }), ...(silent_disks && { silent_disks }) }
  }

  /** Changed in place: it happens with every sample of every server, and nobody holds an entry. */
  function change(id: number, fields: Partial<Entry>) {
    let entry = entries.get(id)
    if (!entry) {
      entry = {
        ...storedOf(id),
        boot: 0,
        state: {},
        lastActive: null,
        lastSeen: null,
        pressed: unpressed,
        maintenance: null,
        version: 0,
      }
      entries.set(id, entry)
    }
    version += 1
    Object.assign(entry, fields, { version })
    listeners.notify(id)
  }

  return {
    hostOf: (id) => (entries.get(id) ?? storedOf(id)).host,
    sampleOf: (id) => entries.get(id)?.state ?? nothing,
    geoipOf: (id) => (entries.get(id) ?? storedOf(id)).geoip,
    pressureOf: (id) => (entries.get(id)?.pressed ?? unpressed).wire,
    maintenanceOf: (id) => entries.get(id)?.maintenance ?? null,
    lastActive: (id) => entries.get(id)?.lastActive ?? null,
    lastSeen: (id) => entries.get(id)?.lastSeen ?? servers.find(id)?.last_seen_at ?? null,
    versionOf: (id) => entries.get(id)?.version ?? 0,
    version: () => version,
    onChange: listeners.add,
    reportHost(id, host) {
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
    reportState(id, state) {
      const now = clock.now()
      const { host, pressed } = entries.get(id) ?? { ...storedOf(id), pressed: unpressed }
      change(id, {
        state,
        lastActive: now,
        lastSeen: now,
        pressed: nextPressed(pressed, isPressed({ host, state }), now),
      })
    },
    reportUnmeasured(id, { metrics, disks }) {
      const { host } = entries.get(id) ?? storedOf(id)
      const { unmeasured = [], silent_disks = [], ...rest } = host
      if (isDeepStrictEqual([unmeasured, silent_disks], [metrics, disks])) return
      const gaps = {
        ...(metrics.length > 0 && { unmeasured: [...metrics] }),
        ...(disks.length > 0 && { silent_disks: [...disks] }),
      }
      change(id, { host: { ...rest, ...gaps } })
    },
    maintain(id, until) {
      if (until !== (entries.get(id)?.maintenance ?? null)) change(id, { maintenance: until })
    },
    dropped: () => dropped,
    droppedFigure() {
      dropped += 1
    },
    reportGeoIp: (id, geoip) => change(id, { geoip }),
    silent: (id) => change(id, { lastActive: null }),
    forget(id) {
      if (!entries.delete(id)) return
      version += 1
      listeners.notify(id)
    },
  }
}

const unpressed: Pressed = { is: false, against: 0, turnedAt: 0, wire: { since: null } }

/** The state after one more sample; a warning is of the time of the first sample that said so. */
function nextPressed(before: Pressed, says: boolean, now: number): Pressed {
  const { is, against } = hold(before, says)
  if (is === before.is && against === before.against) return before
  const turnedAt = against === 1 ? now : before.turnedAt
  if (is === before.is) return { ...before, against, turnedAt }
  return { is, against, turnedAt, wire: { since: is ? new Date(turnedAt).toISOString() : null } }
}

/** Agents in containers work their boot time out anew each time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2
const nothing = {}
const noAddress: GeoIp = { ip: {} }

/** Pressure on a server, in the wire's shape; `since` null: none. */
export interface Pressure {
  readonly since: string | null
}

/** Live figures in memory, in the wire's shape (zero values left out). Built by live/. */
export interface LiveState {
  /** What was last reported, also before a restart of this server; `{}` where that is nothing. */
  hostOf(id: number): Host
  /** The newest sample; kept when the agent goes, `{}` before the first. */
  sampleOf(id: number): HostState
  geoipOf(id: number): GeoIp
  /** Since when a figure has been at its bad limit, judged over some samples. */
  pressureOf(id: number): Pressure
  /** When the maintenance that the server is in ends, RFC 3339; null outside of any. */
  maintenanceOf(id: number): string | null
  /** Epoch ms of the last report; null after its stream ended and before the first (the wire's zero time). */
  lastActive(id: number): number | null
  /** Epoch ms of the last sign of life ever, live or stored. */
  lastSeen(id: number): number | null
  /** Rises with any change of this server's figures; for caches of its text. */
  versionOf(id: number): number
  /** Rises with any change of any server's figures. */
  version(): number
  /** Number of implausible metrics reported since the start. */
  dropped(): number
  onChange(listen: (id: number) => void): () => void
}
