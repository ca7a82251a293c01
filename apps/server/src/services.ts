import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Viewer } from '@qd/core/define'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/schema.ts'
import type { RunLedger } from './jobs/run-types.ts'
import type { Transfers } from './jobs/transfers.ts'
import type { AgentConfigs } from './operations/agent-configs.ts'
import type { TransferRecords } from './resources/transfer-records.ts'
import type { Streams } from './streams/streams.ts'

/** Time and timers; tests supply their own. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Calls `run` once after `ms`; the answer cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void
}

/** Cryptographic randomness. */
export interface Random {
  bytes(size: number): Uint8Array
}

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
}

/** What changed in a store. */
export interface StoreChange<Row> {
  before: Row | null
  after: Row | null
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
  /** Stores when the host was last heard. No change event. */
  seen(id: number, at: number): Promise<void>
}

/** Tasks, with what only the runner writes. */
export interface CronRecords extends Records<CronRow> {
  /** Stores the outcome of the newest run. `at` epoch ms. */
  executed(id: number, outcome: { at: number; ok: boolean; runId: number }): Promise<void>
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

/** Live figures in memory, in the wire's shape (zero values left out). Built by live/. */
export interface LiveState {
  /** `{}` until the agent reports. */
  hostOf(id: number): Host
  /** The newest sample; kept when the agent goes, `{}` before the first. */
  sampleOf(id: number): HostState
  geoipOf(id: number): GeoIp
  /** Epoch ms of the last report; null after its stream ended and before the first (the wire's zero time). */
  lastActive(id: number): number | null
  /** Epoch ms of the last sign of life ever, live or stored. */
  lastSeen(id: number): number | null
  /** Rises with any change of this server's figures; for caches of its text. */
  versionOf(id: number): number
  /** Rises with any change of any server's figures. */
  version(): number
  onChange(listen: (id: number) => void): () => void
}

/** One task for an agent, as the protocol has it. `id` is the run item's id. */
export interface AgentTask {
  id: number
  type: number
  data: string
}

export type { RunLedger } from './jobs/run-types.ts'

/** Connected agents. Built by rpc/. */
export interface AgentHub {
  connected(serverId: number): boolean
  /** Writes to the agent's stream; false where there is none. */
  send(serverId: number, task: AgentTask): boolean
  /** Ends the agent's streams, e.g. after its record was deleted. */
  disconnect(serverId: number, reason: string): void
}

/** A part that works by itself while the server runs. */
export interface Engine {
  /** Short name, for `/healthz` and the log. */
  readonly name: string
  start(): Promise<void>
  /** Null while it works, else why not. */
  trouble(): string | null
  /** Finishes what is under way. */
  stop(): Promise<void>
}

/** What live/, rpc/, ws/ and jobs/ supply, built by `createEngines` in engines.ts. */
export interface Engines {
  live: LiveState
  agents: AgentHub
  runs: RunLedger
  agentConfigs: AgentConfigs
  streams: Streams
  moves: Transfers
  /** Started in order, stopped in reverse. */
  all: readonly Engine[]
  /** Takes a cleartext HTTP/2 connection of an agent. */
  acceptAgent(socket: Duplex): void
  /** Answers a websocket upgrade below `/api/v1/ws/`; true where the path is one of its own. */
  acceptUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean
  /** Answers a plain request on a websocket route (contract 5.1: 400, or the refusal an upgrade would get); true where it did. */
  answerPlain(request: IncomingMessage, response: ServerResponse): boolean
}

/** Who calls, and by what. `session` is null for a guest and for an API token. */
export interface Caller {
  viewer: Viewer
  session: string | null
  /** The API token that spoke for the viewer. */
  token?: { id: number; name: string }
  /** Peer address. */
  address: string
}

/** Finds out who calls. Built by http/. */
export interface Gate {
  /**
   * From `Authorization` or the cookie; a guest where neither is good. A token in the query string is never looked at.
   * Errors: `badToken` for an API token that is not good.
   */
  identify(request: IncomingMessage): Promise<Caller>
  /** False where an `Origin` header names another host than `Host`, or is `null` (behaviours S-17, S-20). */
  sameOrigin(request: IncomingMessage): boolean
}

/** Open sockets by session, so that signing out ends them. */
export interface Sockets {
  /** Answers the remover, to be called when the socket closes by itself. */
  add(caller: Caller, close: (reason: string) => void): () => void
  endSession(session: string, reason: string): void
  /** Those that an API token opened. */
  endToken(id: number, reason: string): void
  /** `keep` names the session whose sockets stay. */
  endUser(userId: number, reason: string, keep?: string | null): void
  endAll(reason: string): void
}

/** Who fails to prove itself, counted per direct peer address (contract engines 8). Built by firewall.ts. */
export interface Firewall {
  /** True while calls of this address are to be refused. */
  blocks(address: string): boolean
  /** True for the machine's own addresses: of its own agent, and of a proxy that many come through. */
  isOwn(address: string): boolean
  /** `identifier` and `reason` as contract engines 8.1 numbers them. */
  failed(address: string, identifier: number, reason: number): void
  /** Forgets what was counted under the identifier. */
  succeeded(address: string, identifier: number): void
  /** Resolves when the table has everything. */
  settled(): Promise<void>
}

/** Append-only record of who did what. Never awaited by callers; failures are logged. */
export interface Audit {
  record(entry: { caller: Caller | null; action: string; target?: string; result: 'ok' | 'refused' | 'failed' }): void
}

/** Settings as one typed object, in memory. */
export interface Settings {
  /** A copy-on-write record of core's `setting` input. */
  get(): SettingValues
  version(): number
  onChange(listen: () => void): () => void
}

/** Values of the site settings (core's `setting` input). */
export interface SettingValues {
  readonly site_name: string
  readonly language: string
  readonly install_host: string
  readonly tls: boolean
  /** IANA name; empty means the host's. */
  readonly time_zone: string
  readonly force_auth: boolean
  readonly [key: string]: string | number | boolean
}

/** What exists before the engines: enough to build them. */
export interface Base {
  config: Config
  log: Logger
  clock: Clock
  random: Random
  db: Db
  accounts: Accounts
  settings: Settings
  servers: ServerRecords
  serverGroups: Records<ServerGroupRow>
  crons: CronRecords
  transfers: TransferRecords
  audit: Audit
  gate: Gate
  sockets: Sockets
  firewall: Firewall
}

/** Everything the server consists of, built once in order. */
export interface Services extends Base, Engines {
  capabilities: readonly string[]
}
