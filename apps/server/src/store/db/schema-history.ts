import type { Generated, Kysely } from 'kysely'

/** Samples of the last ten minutes, one row per step of 30 s with all series in it. */
export interface HistoryJournalTable {
  id: Generated<number>
  /** Start of the step, epoch ms. */
  at: number
  /** Lines `service:server:step` (history/codec.ts). */
  data: string
}

/** Twenty steps of one series. */
export interface HistoryRowsTable {
  id: Generated<number>
  /** Place in `tiers` (history/tiers.ts). */
  tier: number
  /** 0: the samples of the server; else the results that the server reported of this service. */
  service_id: number
  server_id: number
  /** Start of the first step, epoch ms. */
  at: number
  data: string
}

/** What all reporters of a service came to in an hour or a day of the site. */
export interface HistorySumsTable {
  service_id: number
  /** One hour or one day, in ms. */
  span_ms: number
  /** Hours since the epoch, or days since 1970-01-01 by the site's calendar. */
  slot: number
  up: number
  down: number
  /** Sum of the delays of the successes, ms. */
  delay: number
}

/** What history is made of: a file of its own beside SQLite, tables of the one database on Postgres. */
export type HistoryTables = {
  history_journal: HistoryJournalTable
  history_rows: HistoryRowsTable
  history_sums: HistorySumsTable
}

/** What happened to servers. */
export interface EventsTable {
  id: Generated<number>
  server_id: number
  at: number
  /** One of `EventKind` (events/events.ts). */
  kind: string
  /** JSON object. */
  params: string
}

/** What was last known of a server, so that a change is seen also over a restart of ours. */
export interface EventFactsTable {
  server_id: number
  online: number
  /** Unix seconds. */
  boot_time: number
  version: string
  address: string
}

/** A connection to the history's tables. */
export type HistoryDb = Kysely<HistoryTables>
