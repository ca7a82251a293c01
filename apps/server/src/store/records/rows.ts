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

/** What every stored record has. Times are epoch ms; `owner_id` 0: nobody's, only admins see it. */
export interface StoredRow {
  readonly id: number
  readonly owner_id: number
  readonly created_at: number
  readonly updated_at: number
}

/** A value as the database holds it: any number or text, which need not be one of today's options. */
type Kept<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends boolean
      ? boolean
      : T extends readonly (infer Item)[]
        ? readonly Item[]
        : T

/** A stored record of this resource: what every record has, its input without what only says how to store it, and what only the server writes. */
type Stored<R extends Pick<Resource, 'input'>, Added = unknown, NotStored extends string = never> = StoredRow & {
  readonly [F in Exclude<keyof InputOf<R>, NotStored | keyof Added>]: Kept<InputOf<R>[F]>
} & Added

/**
 * A monitored machine as stored, with what it last said of itself; live figures are in `LiveState`. `secret_hash`: SHA-256 of the secret of its
 * own that its agent has, as hex; empty if it has none.
 */
export type ServerRow = Stored<
  typeof server,
  {
    readonly uuid: string
    readonly secret_hash: string
    readonly last_seen_at: number | null
    readonly host: Host
    readonly geoip: GeoIp
  }
>

/** What is kept of a server's reports. */
export type LastReport = Partial<Pick<ServerRow, 'last_seen_at' | 'host' | 'geoip'>>

/** A group as stored, with its members. */
export type ServerGroupRow = Stored<typeof serverGroup>

/** A task as stored. `schedule_set_at`: since when the schedule counts, set with the schedule alone, so that no other change moves an interval. */
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

/** Where messages go, as stored. `last_error`: why the newest message was not taken; empty if it was. */
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

/** A DDNS profile as stored, with how the newest update of each record went. */
export type DdnsRow = Stored<
  typeof ddns,
  {
    readonly access_secret: string
    readonly webhook_headers: string
    readonly webhook_request_body: string
    readonly results: Readonly<Record<string, DdnsResult>>
  }
>

/** A NAT profile as stored. `check_error`: why its target was not reached at `checked_at`; empty if it was. */
export type NatRow = Stored<typeof nat, { readonly checked_at: number | null; readonly check_error: string }>

/** A group as stored, with its members. */
export type NotificationGroupRow = Stored<typeof notificationGroup>

/** A monitored service as stored. Latencies are ms, `duration` seconds. */
export type ServiceRow = Stored<typeof service>

/** An alert rule as stored. A damaged element of `rules` is whatever it is. */
export type AlertRuleRow = Stored<typeof alertRule, { readonly rules: readonly RuleCondition[] }>

/** A maintenance window as stored; its times are RFC 3339. */
export type MaintenanceWindowRow = Stored<typeof maintenanceWindow>

/** A key for scripts as stored; its text is not. `server_ids` empty: all of its owner's. `token_hash`: SHA-256 of the text, hex. */
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

/**
 * A move of a server to another owner as stored; `owner_id` is who began it. Status as core's `TransferStatus`.
 * `recovered_at`: when the agent first used the secret that it got after a transfer that came to nothing.
 */
export type TransferRow = StoredRow & {
  readonly server_id: number
  readonly from_user_id: number
  readonly to_user_id: number
  readonly status: number
  readonly last_error: string
  readonly acked_at: number | null
  readonly recovered_at: number | null
}

/** What changed in a store. */
export interface StoreChange<Row> {
  id: number
  before: Row | null
  after: Row | null
  /** True if nobody edited the record: ids of deleted records left it, or it follows a selection. Engines keep their state then. */
  isCleaning?: true
}

/** Records of one resource, all in memory and written through. Reads are synchronous and need no viewer: engines use them. */
export interface Records<Row extends StoredRow> {
  /** In list order of the contract. A new array after each change; never mutate. */
  all(): readonly Row[]
  find(id: number): Row | undefined
  /** Rises with every change. */
  version(): number
  /** Called after the database took the change. Returns the unsubscriber. */
  onChange(listen: (change: StoreChange<Row>) => void): () => void
}

/** Servers, with what only the agent side writes. */
export interface ServerRecords extends Records<ServerRow> {
  byUuid(uuid: string): ServerRow | undefined
  /** Creates a record for a new host, with the owner of its secret: named by its hostname, or by a generated name if it has none or the name is taken. Returns the existing record if there is one. */
  enrol(host: { uuid: string; ownerId: number; hostname?: string }): Promise<ServerRow>
  giveTo(id: number, ownerId: number): Promise<unknown>
  /** Stores the SHA-256 of the secret that alone opens this server; empty: the agent secret of its owner does again. */
  setSecret(id: number, hash: string): Promise<unknown>
  /** Stores when hosts last reported, and the facts they reported, by id. Sends no change event. */
  seen(reports: ReadonlyMap<number, LastReport>): Promise<void>
}

/** `apply`: the credential of the move itself; `recovery`: the one an agent gets when the move came to nothing. */
export type TransferSecret = 'apply' | 'recovery'

/** Tasks, with what only the runner writes. */
export interface CronRecords extends Records<CronRow> {
  /** Stores the outcome of the newest run. `at` epoch ms. */
  executed(id: number, outcome: { at: number; counts: RunCounts; runId: number }): Promise<void>
}

/** Notifiers, with what only sending writes. */
export interface NotificationRecords extends Records<NotificationRow> {
  /** Stores how the newest message went: `at` epoch ms, `error` empty if it was taken. */
  sent(id: number, outcome: { at: number; error: string }): Promise<void>
}

/** DDNS profiles, with what only updates write. */
export interface DdnsRecords extends Records<DdnsRow> {
  updated(id: number, results: DdnsRow['results']): Promise<void>
}

/** A sign-in provider as stored. */
export type SignInProviderRow = Stored<typeof signInProvider, { readonly client_secret: string }>

/** A user as stored. */
export interface UserRow {
  readonly id: number
  readonly username: string
  readonly password_hash: string
  readonly role: number
  readonly agent_secret: string
  /** SHA-256 of the agent secret before, as hex; empty if there was none. */
  readonly former_secret: string
  /** Servers whose agents still use the former secret, which is good until none does; null if no rotation is open. */
  readonly waiting_servers: readonly number[] | null
  readonly reject_password: boolean
  /** Key of the second factor; empty where it is off. */
  readonly totp_secret: string
  /** The step whose code was used last. */
  readonly totp_step: number
  /** SHA-256 of the recovery codes that are left, as hex. */
  readonly recovery_codes: readonly string[]
  readonly created_at: number
  readonly updated_at: number
}

/** Users, all in memory. */
export interface Accounts {
  all(): readonly UserRow[]
  find(id: number): UserRow | undefined
  byName(username: string): UserRow | undefined
  /** Another user than `id` whose name a reader would take for this one. */
  lookalike(username: string, id: number | null): UserRow | undefined
  /** The owner of records made with this agent secret: a user id, 0 for the site's own secret, null for a wrong one. Constant time per secret. */
  ownerOfSecret(secret: string): number | null
  /** Whether this is the secret before the newest one of this user. */
  isFormerSecretOf(id: number, secret: string): boolean
  /** True for an agent secret that somebody has renewed since. */
  isFormerSecret(secret: string): boolean
  /** Owner as records carry it; id 0 is nobody's. */
  ownerOf(id: number): { id: number; username: string; admin: boolean }
  /** True if records of this owner reach all servers (admins, and owner 0). */
  isAdmin(id: number): boolean
  version(): number
}
