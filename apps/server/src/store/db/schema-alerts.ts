import type { Flag, Json, Millis, Stored } from './column-types.ts'

/** What went wrong, and when it was over. `created_at` is when it opened. */
export interface IncidentsTable extends Stored {
  /** One of core's `IncidentSource`. */
  source: string
  rule_id: number
  service_id: number
  server_id: number
  name: string
  /** One of core's `IncidentState`. */
  state: string
  reading: Json
  error: string
  closed_at: Millis | null
  acked_by: string
  acked_at: Millis | null
  silenced_until: Millis | null
  quiet: Flag
  told: Json
  runs: Json
  /** What people did with it and what it started, as core's `deeds` with times in ms. */
  deeds: Json
  /** 1 where its notice, or its tasks, are still to come. */
  owes_notice: Flag
  owes_tasks: Flag
}

/** Bytes of a server in an hour. */
export interface TrafficTable {
  server_id: number
  /** Start of the hour. */
  at: Millis
  in_bytes: number
  out_bytes: number
}

/** Up to where the counters of a host are in `traffic`. */
export interface TrafficSnapshotsTable {
  server_id: number
  /** Epoch seconds: counters begin anew with each boot. */
  boot_time: number
  in_bytes: number
  out_bytes: number
}
