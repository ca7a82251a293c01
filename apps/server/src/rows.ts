import type { RuleCondition } from '@qd/core/define'

/** What every stored record has. Times are epoch ms; `owner_id` 0: nobody's, only admins see it. */
export interface StoredRow {
  readonly id: number
  readonly owner_id: number
  readonly created_at: number
  readonly updated_at: number
}

/** A monitored machine as stored; live figures are in `LiveState`. */
export interface ServerRow extends StoredRow {
  readonly uuid: string
  readonly name: string
  readonly note: string
  readonly public_note: string
  readonly display_index: number
  readonly hide_for_guest: boolean
  readonly enable_ddns: boolean
  readonly ddns_profiles: readonly number[]
  readonly override_ddns_domains: Readonly<Record<string, readonly string[]>>
  readonly last_seen_at: number | null
}

/** A group as stored, with its members. */
export interface ServerGroupRow extends StoredRow {
  readonly name: string
  readonly servers: readonly number[]
}

/** A task as stored. */
export interface CronRow extends StoredRow {
  readonly name: string
  readonly task_type: number
  readonly scheduler: string
  readonly command: string
  readonly cover: number
  readonly servers: readonly number[]
  readonly push_successful: boolean
  readonly notification_group_id: number
  readonly last_executed_at: number | null
  readonly last_result: boolean
  readonly last_run_id: number
  /** Since when the schedule counts, epoch ms: set with the schedule alone, so that no other change moves an interval. */
  readonly schedule_set_at: number
}

/** Where messages go, as stored. */
export interface NotificationRow extends StoredRow {
  readonly name: string
  readonly url: string
  readonly request_method: number
  readonly request_type: number
  readonly request_header: string
  readonly request_body: string
  readonly verify_tls: boolean
  readonly format_metric_units: boolean
  readonly last_sent_at: number | null
  /** Why the newest message was not taken; empty where it was. */
  readonly last_error: string
}

/** A group as stored, with its members. */
export interface NotificationGroupRow extends StoredRow {
  readonly name: string
  readonly notifications: readonly number[]
}

/** A monitored service as stored. Latencies are ms, `duration` seconds. */
export interface ServiceRow extends StoredRow {
  readonly name: string
  readonly type: number
  readonly target: string
  readonly duration: number
  readonly display_index: number
  readonly cover: number
  readonly skip_servers: readonly number[]
  readonly notify: boolean
  readonly notification_group_id: number
  readonly latency_notify: boolean
  readonly min_latency: number
  readonly max_latency: number
  readonly enable_trigger_task: boolean
  readonly fail_trigger_tasks: readonly number[]
  readonly recover_trigger_tasks: readonly number[]
  readonly hide_for_guest: boolean
}

/** An alert rule as stored. A damaged element of `rules` is whatever it is. */
export interface AlertRuleRow extends StoredRow {
  readonly name: string
  readonly enable: boolean
  readonly trigger_mode: number
  readonly notification_group_id: number
  readonly rules: readonly RuleCondition[]
  readonly fail_trigger_tasks: readonly number[]
  readonly recover_trigger_tasks: readonly number[]
}

/** A maintenance window as stored; its times are RFC 3339. */
export interface MaintenanceWindowRow extends StoredRow {
  readonly name: string
  readonly starts_at: string
  readonly ends_at: string
  readonly cover: number
  readonly servers: readonly number[]
  readonly services: readonly number[]
  readonly note: string
}

/** What changed in a store. */
export interface StoreChange<Row> {
  before: Row | null
  after: Row | null
  /** Nobody edited the record: ids of deleted records left its lists. Engines go on where they are. */
  isCleaning?: true
}

/** Records of one resource, all in memory and written through. Reads are synchronous and need no viewer: engines use them. */
export interface Records<Row extends StoredRow> {
  /** In list order of the contract. A new array after each change; never mutate. */
  all(): readonly Row[]
  find(id: number): Row | undefined
  /** Rises with every change. */
  version(): number
  /** Called after the database took the change. Answers the unsubscriber. */
  onChange(listen: (change: StoreChange<Row>) => void): () => void
}

/** Servers, with what only the agent side writes. */
export interface ServerRecords extends Records<ServerRow> {
  byUuid(uuid: string): ServerRow | undefined
  /** Makes a record for a host that was never seen: generated name, owner of its secret. Answers the existing one if there is one. */
  enrol(host: { uuid: string; ownerId: number }): Promise<ServerRow>
  giveTo(id: number, ownerId: number): Promise<unknown>
  /** Stores when hosts were last heard, by id. No change event. */
  seen(times: ReadonlyMap<number, number>): Promise<void>
}

/** Tasks, with what only the runner writes. */
export interface CronRecords extends Records<CronRow> {
  /** Stores the outcome of the newest run. `at` epoch ms. */
  executed(id: number, outcome: { at: number; ok: boolean; runId: number }): Promise<void>
}

/** Notifiers, with what only sending writes. */
export interface NotificationRecords extends Records<NotificationRow> {
  /** Stores how the newest message went: `at` epoch ms, `error` empty where it was taken. */
  sent(id: number, outcome: { at: number; error: string }): Promise<void>
}

/** A user as stored. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly password_hash: string
  readonly role: number
  readonly agent_secret: string
  readonly reject_password: boolean
  readonly created_at: number
  readonly updated_at: number
}

/** Users, all in memory. */
export interface Accounts {
  find(id: number): UserRow | undefined
  byName(username: string): UserRow | undefined
  /** The owner of records made with this agent secret: a user id, 0 for the site's own secret, null for a wrong one. Constant time per secret. */
  ownerOfSecret(secret: string): number | null
  /** Owner as records carry it; id 0 is nobody's. */
  ownerOf(id: number): { id: number; username: string; admin: boolean }
  /** True where records of this owner reach all servers (admins, and owner 0). */
  isAdmin(id: number): boolean
  version(): number
}
