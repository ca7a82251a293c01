import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { Clock } from '../ports.ts'
import type { ServerRecords } from '../records/rows.ts'
import type { LiveState } from './live-state.ts'

/** Live figures with what the agent service writes. */
export interface LiveStore extends LiveState {
  /** A host report; one of an earlier boot than the known one is ignored, a later boot empties the sample. */
  reportHost(id: number, host: Host): void
  reportState(id: number, state: HostState): void
  /** A figure of a report had no sense. */
  droppedFigure(): void
  reportGeoIp(id: number, geoip: GeoIp): void
  /** The server's state stream has ended. */
  silent(id: number): void
  /** The record was deleted. */
  forget(id: number): void
}

interface Entry {
  host: Host
  state: HostState
  geoip: GeoIp
  lastActive: number | null
  lastSeen: number | null
  version: number
}

/** Live figures of all servers in memory; empty after a start. Source: agent contract 2.8, 10.3. */
export function createLiveStore({ clock, servers }: { clock: Clock; servers: ServerRecords }): LiveStore {
  const entries = new Map<number, Entry>()
  const listeners = new Set<(id: number) => void>()
  let version = 0
  let dropped = 0

  function change(id: number, fields: Partial<Entry>) {
    const entry = entries.get(id)
    const next = {
      ...(entry ?? { host: {}, state: {}, geoip: noAddress, lastActive: null, lastSeen: null }),
      ...fields,
    }
    version += 1
    entries.set(id, { ...next, version })
    for (const listen of listeners) listen(id)
  }

  return {
    hostOf: (id) => entries.get(id)?.host ?? nothing,
    sampleOf: (id) => entries.get(id)?.state ?? nothing,
    geoipOf: (id) => entries.get(id)?.geoip ?? noAddress,
    lastActive: (id) => entries.get(id)?.lastActive ?? null,
    lastSeen: (id) => entries.get(id)?.lastSeen ?? servers.find(id)?.last_seen_at ?? null,
    versionOf: (id) => entries.get(id)?.version ?? 0,
    version: () => version,
    onChange(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    reportHost(id, host) {
      const known = entries.get(id)?.host.boot_time ?? 0
      const told = host.boot_time ?? 0
      if (told < known - jitterSeconds) return
      change(id, told > known + jitterSeconds ? { host, state: {}, lastActive: null } : { host })
    },
    reportState(id, state) {
      const now = clock.now()
      change(id, { state, lastActive: now, lastSeen: now })
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
      for (const listen of listeners) listen(id)
    },
  }
}

/** Agents in containers work their boot time out anew each time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2
const nothing = {}
const noAddress: GeoIp = { ip: {} }
