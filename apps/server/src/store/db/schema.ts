import type { ColumnType, Generated, Kysely } from 'kysely'

export interface UsersTable {
  id: Id
  username: string
  password_hash: string
  role: number
  agent_secret: string
  /** SHA-256 of the previous agent secret, hex; empty if there was none. */
  former_secret: Generated<string>
  /** JSON list of the servers still using the former secret, which is valid until then; empty without a rotation. */
  waiting_servers: Generated<string>
  reject_password: Flag
  /** TOTP key, base32; empty if 2FA is off. */
  totp_secret: Generated<string>
  /** The last used step: no code is valid twice. */
  totp_step: Generated<number>
  /** SHA-256 of the remaining recovery codes, hex. */
  recovery_codes: Generated<Json>
  created_at: Fixed<Millis>
  updated_at: Millis
}

export interface EnrollmentCodesTable {
  id: Id
  owner_id: number
  /** SHA-256, hex. */
  code_hash: string
  /** The server that the host takes over; empty for new servers. */
  uuid: string
  uses_left: number
  created_at: Fixed<Millis>
  expires_at: Millis
}

export interface BindingsTable {
  user_id: number
  provider_id: number
  /** The account's ID at the provider. */
  open_id: string
  created_at: Fixed<Millis>
}

export interface SessionsTable {
  /** The token's `keyId`. */
  id: string
  user_id: number
  created_at: Fixed<Millis>
  expires_at: Millis
  last_used_at: Millis
  address: string
  client: string
  /** When the password was last given. */
  proved_at: Millis
}

export interface RunsTable extends Stored {
  /** One of core's `RunKind`. */
  kind: string
  cron_id: number
  name: string
  command: string
  /** Username, or `schedule`. */
  started_by: string
  finished_at: Millis | null
  /** Plan and state; null for a run that is sent at once. */
  rollout: Generated<Json | null>
  /** When parts without an answer are closed; null: default of its kind. */
  deadline_ms: Generated<number | null>
  /** Core's `RunState` of the whole run, so that lists needn't count parts. */
  state: string
  /** Parts per state. May lag for an open run, whose parts are counted in memory. */
  counts: Json
}

export interface RunItemsTable {
  /** Sent as `Task.id`, to tell overlapping runs apart. */
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
  /** Core's `NoAnswerReason` if the state is `no_answer`. */
  reason: string | null
  /** The agent's version when the task was sent. */
  version_before: string
  /** A program and its arguments as a JSON list, in place of the run’s command; empty: that command. */
  program: Generated<string>
}

export interface SettingsTable {
  key: string
  value: Json
}

/** Signing key and agent secret; never returned by the API. */
export interface SecretsTable {
  key: string
  value: string
}

/** Hostnames of sign-ins (records/console-names.ts). */
export interface ConsoleNamesTable {
  /** Lower case, ASCII, without a port. */
  name: string
  user_id: number
  by_admin: Flag
  seen_at: Millis
}

/** Append-only. */
export interface AuditTable {
  id: Id
  at: Fixed<Millis>
  user_id: Fixed<number>
  username: Fixed<string>
  action: Fixed<string>
  target: Fixed<string>
  result: Fixed<string>
  address: Fixed<string>
  /** Names of the records whose IDs are in `target`. */
  names: Fixed<string>
  /** JSON of core's `AuditChange`s. */
  changes: Fixed<string>
}

export interface WafTable {
  /** IPv4 dotted, unmapped. IPv6 failures count per /64; administrators also block ranges. */
  ip: string
  block_identifier: number
  block_reason: number
  /** Epoch seconds of the newest failure. */
  block_timestamp: number
  count: number
  note: string
  /** End of an administrator's block; null for ever. */
  blocked_until: Millis | null
}

/** Lifted by `qd-server unblock`, not yet read by the running server. */
export interface WafUnblockedTable {
  ip: string
}

/** Notifications that are owed, one row per notifier (watch/notices/notices.ts). */
export interface OutboxTable {
  id: number
  /** The value of `X-Quarterdeck-Notice`. */
  notice: string
  /** 0: waits for others of its cause. */
  notification_id: number
  group_id: number
  owner_id: number
  /** 0: none. */
  server_id: number
  /** JSON list of IDs. */
  incidents: Json
  cause: string
  message: string
  at: Millis
  /** How often it may have left; committed before each time. */
  sending: number
}

/** How long repeats of a notification are dropped (watch/notices/mutes.ts). */
export interface MutesTable {
  /** JSON list of label and group name. */
  key: string
  sent_at: Millis
  wait_ms: number
}

/** Tables that engines write. Those of entities follow from their definitions and are accessed by `records/table.ts` only. */
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
  outbox: OutboxTable
  mutes: MutesTable
}

export type Db = Kysely<Database>

type Id = Generated<number>
export type Millis = number
/** 0 or 1: neither engine gets booleans. */
export type Flag = number
export type Json = string
type Fixed<T> = ColumnType<T, T, never>

export interface Stored {
  id: Id
  owner_id: number
  created_at: Fixed<Millis>
  updated_at: Millis
}

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

/** `created_at`: when it opened. */
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
  /** Core's `responses`, with times in ms. */
  responses: Json
  /** 1: still due. */
  notice_pending: Flag
  tasks_pending: Flag
}

interface TrafficTable {
  server_id: number
  /** Start of the hour. */
  at: Millis
  in_bytes: number
  out_bytes: number
}

/** Counter values up to which `traffic` is complete. */
interface TrafficSnapshotsTable {
  server_id: number
  /** Epoch seconds: counters restart at each boot. */
  boot_time: number
  in_bytes: number
  out_bytes: number
}

/** The last ten minutes, one row per step of 30 s with all series. */
export interface HistoryJournalTable {
  id: Generated<number>
  at: number
  /** Lines `service:server:step` (history/codec.ts). */
  data: string
}

export interface HistoryRowsTable {
  id: Generated<number>
  /** Index in `tiers` (history/steps.ts). */
  tier: number
  /** 0: samples of the server; else its results for this service. */
  service_id: number
  server_id: number
  /** Start of the first step, epoch ms. */
  at: number
  data: string
}

/** Results of a service per hour or day. */
export interface HistorySumsTable {
  service_id: number
  span_ms: number
  /** Hours since the epoch, or days since 1970-01-01 in the site's time zone. */
  slot: number
  up: number
  down: number
  /** Sum over successes, ms. */
  delay: number
}

/** In a file of their own beside SQLite, or in the one PostgreSQL database. */
export type HistoryTables = {
  history_journal: HistoryJournalTable
  history_rows: HistoryRowsTable
  history_sums: HistorySumsTable
}

export interface EventsTable {
  id: Generated<number>
  server_id: number
  at: number
  /** One of `EventKind` (@qd/core/schemas). */
  kind: string
  /** JSON object. */
  params: string
}

export interface EventFactsTable {
  server_id: number
  online: number
  boot_time: number
  version: string
  address: string
}

export type HistoryDb = Kysely<HistoryTables>
