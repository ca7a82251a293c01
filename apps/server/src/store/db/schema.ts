import type { ColumnType, Generated, Kysely } from 'kysely'

/** People who may sign in. */
export interface UsersTable {
  id: Id
  username: string
  password_hash: string
  role: number
  agent_secret: string
  /** SHA-256 of the agent secret before it was renewed, as hex; empty if it never was. */
  former_secret: Generated<string>
  /** JSON list of the servers whose agents still use the former secret, which is good until then; empty if no rotation is open. */
  waiting_servers: Generated<string>
  reject_password: Flag
  /** Key of the second factor, base32; empty where it is off. */
  totp_secret: Generated<string>
  /** The step whose code was used last: no code counts twice. */
  totp_step: Generated<number>
  /** SHA-256 of the recovery codes that are left, as hex. */
  recovery_codes: Generated<Json>
  created_at: Fixed<Millis>
  updated_at: Millis
}

/** Codes with which hosts enroll. */
export interface EnrollmentCodesTable {
  id: Id
  owner_id: number
  /** SHA-256 of the code, as hex. */
  code_hash: string
  /** The existing server that the host is to be again; empty for new ones. */
  uuid: string
  uses_left: number
  created_at: Fixed<Millis>
  expires_at: Millis
}

/** Accounts at sign-in providers, and whom they stand for. */
export interface BindingsTable {
  user_id: number
  provider_id: number
  /** The account as the provider names it. */
  open_id: string
  created_at: Fixed<Millis>
}

/** One row per sign-in. */
export interface SessionsTable {
  /** The token's `keyId`. */
  id: string
  user_id: number
  created_at: Fixed<Millis>
  expires_at: Millis
  last_used_at: Millis
  address: string
  client: string
  /** When the password was last given in it. */
  proved_at: Millis
}

/** Executions of tasks. */
export interface RunsTable extends Stored {
  /** One of core's `RunKind`. */
  kind: string
  cron_id: number
  name: string
  command: string
  /** User name, or `schedule`. */
  started_by: string
  finished_at: Millis | null
  /** Plan and state of a rollout; null for a run that is sent at once. */
  rollout: Generated<Json | null>
  /** After this a part without an answer is closed; null: what its kind has. */
  deadline_ms: Generated<number | null>
  /** One of core's `RunState`: the state of the whole run, so that lists need not count its parts. */
  state: string
  /** Parts per state. Of a run that is not over they may be late: what is open is counted in memory. */
  counts: Json
}

/** One server’s part of a run. */
export interface RunItemsTable {
  /** Sent to the agent as `Task.id`, so that overlapping runs are told apart. */
  id: Id
  run_id: number
  server_id: number
  server_name: string
  /** One of core's `ItemState`. */
  state: string
  exit_code: number | null
  started_at: Millis | null
  finished_at: Millis | null
  duration_ms: number | null
  /** Valid UTF-8, at most 1 MiB. */
  output: string
  cut_bytes: number
  lines: number
  /** One of core's `NoAnswerReason`, where the state is `no_answer`. */
  reason: string | null
  /** Version of the agent when it was sent. */
  version_before: string
  /** A program and its arguments as a JSON list, in place of the run’s command; empty: that command. */
  program: Generated<string>
}

/** Settings of the site, one value per row. */
export interface SettingsTable {
  key: string
  value: Json
}

/** Signing key and agent secret, one value per row. The API never returns them. */
export interface SecretsTable {
  key: string
  value: string
}

/** Names under which people signed in (records/console-names.ts). */
export interface ConsoleNamesTable {
  /** In small letters and ASCII, without a port. */
  name: string
  /** Who signed in there last. */
  user_id: number
  /** An administrator has signed in there. */
  by_admin: Flag
  seen_at: Millis
}

/** The audit record. Rows are only added. */
export interface AuditTable {
  id: Id
  at: Fixed<Millis>
  user_id: Fixed<number>
  username: Fixed<string>
  action: Fixed<string>
  target: Fixed<string>
  result: Fixed<string>
  address: Fixed<string>
  /** Names of the records that `target` lists by their ids. */
  names: Fixed<string>
  /** JSON of core's `AuditChange`s. */
  changes: Fixed<string>
}

/** What the firewall holds against an address. */
export interface WafTable {
  /** IPv4 dotted, without the mapping. Failures of IPv6 stand under their /64; an administrator also blocks ranges. */
  ip: string
  block_identifier: number
  block_reason: number
  /** Epoch seconds of the newest failure. */
  block_timestamp: number
  count: number
  /** Why an administrator blocked it. */
  note: string
  /** Until when an administrator blocked it; null for ever. */
  blocked_until: Millis | null
}

/** What `qd-server unblock` lifted and the running server has not heard of. */
export interface WafUnblockedTable {
  ip: string
}

/**
 * Tables that engines write, alike on SQLite and Postgres. Those of entities follow from their definitions: a migration makes them
 * and `records/table.ts` alone reads and writes them.
 */
export interface Database {
  users: UsersTable
  sessions: SessionsTable
  enrollment_codes: EnrollmentCodesTable
  oauth2_bindings: BindingsTable
  runs: RunsTable
  run_items: RunItemsTable
  settings: SettingsTable
  secrets: SecretsTable
  console_names: ConsoleNamesTable
  audit: AuditTable
  waf: WafTable
  waf_unblocked: WafUnblockedTable
  service_states: ServiceStatesTable
  incidents: IncidentsTable
  traffic: TrafficTable
  traffic_snapshots: TrafficSnapshotsTable
  events: EventsTable
  event_facts: EventFactsTable
}

/** The typed database handle. */
export type Db = Kysely<Database>

/** An id the database gives; never reused. */
type Id = Generated<number>
/** Epoch milliseconds. */
export type Millis = number
/** 0 or 1: neither engine gets booleans. */
export type Flag = number
/** JSON text. */
export type Json = string
/** Set once, never updated. */
type Fixed<T> = ColumnType<T, T, never>

/** What every record has. */
export interface Stored {
  id: Id
  owner_id: number
  created_at: Fixed<Millis>
  updated_at: Millis
}

/** How a service stood when it was last written down. */
interface ServiceStatesTable {
  service_id: number
  /** One of core's `ServiceStatus`. */
  status: number
  since: Millis
  last_result_at: Millis
  /** JSON list of rounds. */
  rounds: Json
  /** JSON list of certificates, newest last. */
  certificates: Json
}

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
  notice_pending: Flag
  tasks_pending: Flag
}

/** Bytes of a server in an hour. */
interface TrafficTable {
  server_id: number
  /** Start of the hour. */
  at: Millis
  in_bytes: number
  out_bytes: number
}

/** Up to where the counters of a host are in `traffic`. */
interface TrafficSnapshotsTable {
  server_id: number
  /** Epoch seconds: counters begin anew with each boot. */
  boot_time: number
  in_bytes: number
  out_bytes: number
}

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
  /** Place in `tiers` (history/steps.ts). */
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
  /** One of `EventKind` (@qd/core/schemas). */
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
