import type { Logger } from 'pino'
import type { Firewall } from './access/firewall.ts'
import type { Gate } from './access/gate.ts'
import type { Sockets } from './access/sockets.ts'
import type { Config } from './config.ts'
import type { ClientAddresses } from './kernel/net/client-address.ts'
import type { Unauthenticated } from './kernel/net/unauthenticated.ts'
import type { Clock, Random, Resolve } from './kernel/ports.ts'
import type { JointWrites } from './store/db/joint-writes.ts'
import type { PostgresPlace } from './store/db/postgres-pool.ts'
import type { Db } from './store/db/schema.ts'
import type { Announcements } from './store/records/announcements.ts'
import type { MutableApiTokens } from './store/records/api-tokens.ts'
import type { Audit } from './store/records/audit.ts'
import type { ConsoleNames, NatNames } from './store/records/console-names.ts'
import type { MutableRecords } from './store/records/records.ts'
import type { KeptRecords } from './store/records/references.ts'
import type { Retention } from './store/records/retention.ts'
import type {
  Accounts,
  AlertRuleRow,
  CronRecords,
  DdnsRecords,
  MaintenanceWindowRow,
  NatRow,
  NotificationGroupRow,
  NotificationRecords,
  Records,
  ServerGroupRow,
  ServerRecords,
  ServiceRow,
} from './store/records/rows.ts'
import type { Settings } from './store/records/settings.ts'
import type { TransferRecords } from './store/records/transfers.ts'

export interface Base {
  config: Config
  log: Logger
  clock: Clock
  /** Use it instead of `clock` to remove old data. */
  retention: Pick<Retention, 'now'>
  random: Random
  resolve: Resolve
  db: Db
  /** Where threads of this server join it at PostgreSQL; null with SQLite. */
  postgres: PostgresPlace | null
  writes: JointWrites
  /** Whether this server is the active one for sure, so that messages and tasks may leave it. */
  mayAct(): boolean
  accounts: Accounts
  settings: Settings
  servers: ServerRecords
  serverGroups: MutableRecords<ServerGroupRow>
  crons: CronRecords
  transfers: TransferRecords
  notifications: NotificationRecords
  notificationGroups: Records<NotificationGroupRow>
  services: Records<ServiceRow>
  ddns: DdnsRecords
  nat: Records<NatRow>
  alertRules: Records<AlertRuleRow>
  maintenanceWindows: Records<MaintenanceWindowRow>
  apiTokens: MutableApiTokens
  kept: readonly KeptRecords[]
  announcements: Announcements
  audit: Audit
  gate: Gate
  sockets: Sockets
  firewall: Firewall
  clients: ClientAddresses
  unauthenticated: Unauthenticated
  consoleNames: ConsoleNames
  natNames: NatNames
}
