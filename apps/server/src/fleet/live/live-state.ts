import type { GeoIp, Host, HostState } from '@qd/core/schemas'

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
