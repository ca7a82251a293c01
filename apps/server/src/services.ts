import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Viewer } from '@qd/core/define'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/schema.ts'
import type { EventStore } from './history/event-store.ts'
import type { History } from './history/history.ts'
import type { Ticket } from './http/sessions.ts'
import type { Alerts } from './jobs/alerts/alerts.ts'
import type { createBacktest } from './jobs/alerts/backtest-run.ts'
import type { AlertMessage } from './jobs/alerts/message.ts'
import type { IncidentPipe } from './jobs/incidents/incidents.ts'
import type { Monitors } from './jobs/monitors/types.ts'
import type { Deliver } from './jobs/notices/delivery.ts'
import type { Notices } from './jobs/notices.ts'
import type { RunLedger } from './jobs/run-types.ts'
import type { Transfers } from './jobs/transfers.ts'
import type { ClientAddresses } from './net/client-address.ts'
import type { Resolve } from './net/outbound.ts'
import type { Strangers } from './net/strangers.ts'
import type { AgentConfigs } from './operations/agent-configs.ts'
import type { MutableApiTokens } from './resources/api-token.ts'
import type { KeptRecords } from './resources/references.ts'
import type { TransferRecords } from './resources/transfer.ts'
import type { Retention } from './retention.ts'
import type {
  Accounts,
  AlertRuleRow,
  CronRecords,
  MaintenanceWindowRow,
  NotificationGroupRow,
  NotificationRecords,
  Records,
  ServerGroupRow,
  ServerRecords,
  ServiceRow,
} from './rows.ts'
import type { Streams } from './streams/streams.ts'
import type { Announcements } from './ws/announcements.ts'

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
  /** Reported figures that had no sense, since the start. */
  dropped(): number
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
  /** How long a stop waits for it, in ms; absent: a second. */
  readonly patienceMs?: number
}

/** What live/, rpc/, ws/ and jobs/ supply, built by `createEngines` in engines.ts. */
export interface Engines {
  live: LiveState
  agents: AgentHub
  runs: RunLedger
  agentConfigs: AgentConfigs
  streams: Streams
  moves: Transfers
  notices: Notices
  deliver: Deliver
  history: History
  events: EventStore
  incidents: IncidentPipe
  monitors: Monitors
  alerts: Alerts
  /** The text that tells of a rule. */
  messageOf: AlertMessage
  /** Where a rule would have fired. */
  backtest: ReturnType<typeof createBacktest>
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
  /** A new token of the session, which the answer to this call hands out; the former one is good no longer. */
  renewed?: Ticket
  /** The API token that spoke for the viewer. */
  token?: { id: number; name: string }
  /** The client's address: the peer's, or what a trusted proxy says (`--trust-proxy`). */
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
  /** The session has a new id from now on. */
  renewed(session: string, next: string): void
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
  /** IANA name of the zone that schedules and days count in: the setting, or the host's where it is empty. */
  timeZone(): string
  onChange(listen: () => void): () => void
}

/** Values of the site settings (core's `setting` input). */
export interface SettingValues {
  readonly custom_code: string
  readonly custom_code_dashboard: string
  readonly site_name: string
  readonly language: string
  readonly install_host: string
  readonly tls: boolean
  /** IANA name; empty means the host's. */
  readonly time_zone: string
  readonly force_auth: boolean
  readonly enable_ip_change_notification: boolean
  readonly enable_plain_ip_in_notification: boolean
  readonly ip_change_notification_group_id: number
  /** Core's `SettingCover`: which servers the IP-change notice is about. */
  readonly cover: number
  /** Servers that the IP-change notice leaves out, or is only about. */
  readonly ignored_ip_notification: readonly number[]
  /** Addresses and hosts in the own network that messages may go to. */
  readonly outbound_allowlist: readonly string[]
  readonly [key: string]: string | number | boolean | readonly number[] | readonly string[]
}

/** What exists before the engines: enough to build them. */
export interface Base {
  config: Config
  log: Logger
  clock: Clock
  /** Goes before `clock` wherever something old is removed. */
  retention: Pick<Retention, 'now'>
  random: Random
  resolve: Resolve
  db: Db
  accounts: Accounts
  settings: Settings
  servers: ServerRecords
  serverGroups: Records<ServerGroupRow>
  crons: CronRecords
  transfers: TransferRecords
  notifications: NotificationRecords
  notificationGroups: Records<NotificationGroupRow>
  services: Records<ServiceRow>
  alertRules: Records<AlertRuleRow>
  maintenanceWindows: Records<MaintenanceWindowRow>
  apiTokens: MutableApiTokens
  /** The same records, for what treats all alike. */
  kept: readonly KeptRecords[]
  announcements: Announcements
  audit: Audit
  gate: Gate
  sockets: Sockets
  firewall: Firewall
  clients: ClientAddresses
  strangers: Strangers
}

/** Everything the server consists of, built once in order. */
export interface Services extends Base, Engines {
  capabilities: readonly string[]
}
