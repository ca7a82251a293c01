import type { InputOf, Resource, RuleCondition } from '@qd/core/define'
import type {
  alertRule,
  apiToken,
  cron,
  ddns,
  maintenanceWindow,
  nat,
  notification,
  notificationGroup,
  RunCounts,
  server,
  serverGroup,
  service,
  signInProvider,
} from '@qd/core/resources'
import type { DdnsResult, GeoIp, Host } from '@qd/core/schemas'
import type { Step } from './commit.ts'

/** Times are epoch ms. `owner_id` 0: visible to administrators only. */
export interface StoredRow {
  readonly id: number
  readonly owner_id: number
  readonly created_at: number
  readonly updated_at: number
}

/** Any number or text, not just today's options. */
type Kept<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly Item[]
        : T

/** A stored record: common fields, the stored part of the input, and fields that only the server writes. */
type Stored<R extends Pick<Resource, 'input'>, Added = unknown, NotStored extends string = never> = StoredRow & {
  readonly [F in Exclude<keyof InputOf<R>, NotStored | keyof Added>]: Kept<InputOf<R>[F]>
} & Added

/** `secret_hash`: SHA-256 of the host's own secret, hex; empty if it has none. `enrolled_at`: when a code was last used up for it. Live metrics are in `LiveState`. */
export type ServerRow = Stored<
  typeof server,
  {
    readonly uuid: string
    readonly secret_hash: string
    readonly enrolled_at: number | null
    readonly last_seen_at: number | null
    readonly host: Host
    readonly geoip: GeoIp
  }
>

export type LastReport = Partial<Pick<ServerRow, 'last_seen_at' | 'host' | 'geoip'>>

export type ServerGroupRow = Stored<typeof serverGroup>

/** `schedule_set_at`: start of the schedule's phase; no other change moves an interval. */
export type CronRow = Stored<
  typeof cron,
  {
    readonly last_executed_at: number | null
    readonly last_result: boolean
    readonly last_run_id: number
    readonly last_counts: Partial<RunCounts>
    readonly schedule_set_at: number
  }
>

/** `last_error`: why the last message was rejected; else empty. */
export type NotificationRow = Stored<
  typeof notification,
  {
    readonly url: string
    readonly request_header: string
    readonly request_body: string
    readonly last_sent_at: number | null
    readonly last_error: string
  },
  'skip_check'
>

export type DdnsRow = Stored<
  typeof ddns,
  {
    readonly access_secret: string
    readonly webhook_headers: string
    readonly webhook_request_body: string
    readonly results: Readonly<Record<string, DdnsResult>>
  }
>

/** `check_error`: why the target was unreachable at `checked_at`; else empty. */
export type NatRow = Stored<typeof nat, { readonly checked_at: number | null; readonly check_error: string }>

export type NotificationGroupRow = Stored<typeof notificationGroup>

/** Latencies in ms, `duration` in seconds. */
export type ServiceRow = Stored<typeof service>

/** A damaged element of `rules` may be anything. */
export type AlertRuleRow = Stored<typeof alertRule, { readonly rules: readonly RuleCondition[] }>

/** Times are RFC 3339. */
export type MaintenanceWindowRow = Stored<typeof maintenanceWindow>

/** `server_ids` empty: all of the owner's. `token_hash`: SHA-256, hex. */
export type ApiTokenRow = Stored<
  typeof apiToken,
  {
    readonly token_hash: string
    readonly expires_at: number | null
    readonly last_used_at: number | null
    readonly last_used_ip: string
  },
  'expires_in_days'
>

/** `owner_id`: who started it; status: core's `TransferStatus`. `recovered_at`: first use of the recovery secret after a failed transfer. */
export type TransferRow = StoredRow & {
  readonly server_id: number
  readonly from_user_id: number
  readonly to_user_id: number
  readonly status: number
  readonly last_error: string
  readonly acked_at: number | null
  readonly recovered_at: number | null
}

export interface StoreChange<Row> {
  id: number
  before: Row | null
  after: Row | null
  /** Not a user's edit: deleted IDs left the record, or it follows a query. Engines keep their state then. */
  isCleaning?: true
}

/** Records of one resource, all in memory. Reads are synchronous and need no viewer: engines use them. */
export interface Records<Row extends StoredRow> {
  /** In the contract's list order. A new array after each change; never mutate. */
  all(): readonly Row[]
  find(id: number): Row | undefined
  version(): number
  /** Called after the write. Returns the unsubscriber. */
  onChange(listen: (change: StoreChange<Row>) => void): () => void
}

export interface ServerRecords extends Records<ServerRow> {
  byUuid(uuid: string): ServerRow | undefined
  /** Creates a record for a new host, named by its hostname, or by a generated name if that is missing or taken. Returns the existing record if there is one. */
  enrol(host: { uuid: string; ownerId: number; hostname?: string }): Promise<ServerRow>
  /** As a step of a move. */
  giving(ids: () => readonly number[], ownerId: number): Step<ServerRow>
  /** Stores the SHA-256 of the host's own secret; empty: the owner's agent secret is valid again. */
  setSecret(id: number, hash: string): Promise<unknown>
  /** As `setSecret`, for a host that has used up an enrollment code. */
  enrolled(id: number, hash: string): Promise<unknown>
  /** Stores reports by ID. Sends no change event. */
  seen(reports: ReadonlyMap<number, LastReport>): Promise<void>
}

/** `apply`: for the transfer itself; `recovery`: for the agent after a failed transfer. */
export type TransferSecret = 'apply' | 'recovery'

export interface CronRecords extends Records<CronRow> {
  /** Stores the newest run's outcome. `at` epoch ms. */
  executed(id: number, outcome: { at: number; counts: RunCounts; runId: number }): Promise<void>
}

export interface NotificationRecords extends Records<NotificationRow> {
  /** Stores the newest message's outcome: `at` epoch ms, `error` empty if accepted. */
  sent(id: number, outcome: { at: number; error: string }): Promise<void>
}

export interface DdnsRecords extends Records<DdnsRow> {
  updated(id: number, results: DdnsRow['results']): Promise<void>
}

export type SignInProviderRow = Stored<typeof signInProvider, { readonly client_secret: string }>

export interface UserRow {
  readonly id: number
  readonly username: string
  readonly password_hash: string
  readonly role: number
  readonly agent_secret: string
  readonly former_secret: string
  readonly waiting_servers: readonly number[] | null
  readonly reject_password: boolean
  readonly totp_secret: string
  readonly totp_step: number
  readonly recovery_codes: readonly string[]
  readonly created_at: number
  readonly updated_at: number
}

export interface Accounts {
  all(): readonly UserRow[]
  find(id: number): UserRow | undefined
  byName(username: string): UserRow | undefined
  /** Another user than `id` with a name that looks like this one. */
  lookalike(username: string, id: number | null): UserRow | undefined
  /** The owner by agent secret: a user ID, 0 for the site's own secret, null for a wrong one. Constant time per secret. */
  ownerOfSecret(secret: string): number | null
  isFormerSecretOf(id: number, secret: string): boolean
  isFormerSecret(secret: string): boolean
  /** ID 0: no owner. */
  ownerOf(id: number): { id: number; username: string; admin: boolean }
  /** Whether this owner's records may target all servers (administrators, owner 0). */
  isAdmin(id: number): boolean
  version(): number
}
