import type { Db } from '../db/schema.ts'
import type { Clock, Random } from '../services.ts'
import { createAlertRules } from './alert-rules.ts'
import { createCrons } from './crons.ts'
import { createMaintenanceWindows } from './maintenance-windows.ts'
import { createNotificationGroups } from './notification-groups.ts'
import { createNotifications } from './notifications.ts'
import { createServerGroups } from './server-groups.ts'
import { createServers } from './servers.ts'
import { createServices } from './services.ts'
import { createTransfers } from './transfer-records.ts'

/** Every kind of record that is kept in memory, as its own store writes it. */
export type LoadedRecords = Awaited<ReturnType<typeof loadRecords>>

/** Reads the records of all resources from the database. */
export async function loadRecords(parts: { db: Db; clock: Clock; random: Random }) {
  return {
    servers: await createServers(parts),
    serverGroups: await createServerGroups(parts),
    crons: await createCrons(parts),
    transfers: await createTransfers(parts),
    notifications: await createNotifications(parts),
    notificationGroups: await createNotificationGroups(parts),
    services: await createServices(parts),
    alertRules: await createAlertRules(parts),
    maintenanceWindows: await createMaintenanceWindows(parts),
  }
}
