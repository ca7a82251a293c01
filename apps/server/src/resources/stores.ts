import type { Limits } from '../http/limits.ts'
import type { Sessions } from '../http/sessions.ts'
import type { StepUp } from '../http/step-up.ts'
import { createInstallCall } from '../install/call.ts'
import type { Base, Engines } from '../services.ts'
import { version } from '../version.ts'
import { createAccountStore } from './account.ts'
import type { MutableAccounts } from './accounts.ts'
import { createAlertRuleStore } from './alert-rules.ts'
import { createApiTokenStore, type MutableApiTokens } from './api-tokens.ts'
import { createCronStore } from './crons.ts'
import { forgetDeletedReferences } from './forget-deleted.ts'
import { createIncidentStore } from './incidents.ts'
import type { LoadedRecords } from './load.ts'
import { createMaintenanceWindowStore } from './maintenance-windows.ts'
import { createNotificationGroupStore } from './notification-groups.ts'
import { createNotificationStore } from './notifications.ts'
import { createRunStore } from './runs.ts'
import { createServerGroupStore } from './server-groups.ts'
import { createServerStore } from './servers.ts'
import { createServiceStore } from './services.ts'
import { createSessionStore } from './sessions.ts'
import { createSettingStore } from './setting.ts'
import type { MutableSettings } from './settings.ts'
import type { ResourceStore, Surroundings } from './store.ts'
import { createTransferStore } from './transfers.ts'
import { viewOver } from './view.ts'

/** What stores need besides the records and the engines. */
export interface StoresParts {
  base: Base
  accounts: MutableAccounts
  settings: MutableSettings
  records: LoadedRecords
  engines: Engines
  sessions: Sessions
  apiTokens: MutableApiTokens
  limits: Limits
  stepUp: StepUp
  agentSecret: string
}

/** The store of every resource, in no order. */
export function createStores(parts: StoresParts): readonly ResourceStore[] {
  const { base, accounts, settings, records, engines, sessions, apiTokens, limits, stepUp } = parts
  const { clock, random, sockets } = base
  const { servers, serverGroups, crons, transfers, notifications, notificationGroups, services } = records
  const around: Surroundings = {
    clock,
    accounts,
    settings,
    servers,
    view: (viewer) => viewOver(viewer, { stores, clock }),
  }
  forgetDeletedReferences(records, base.log)
  const install = createInstallCall({ accounts, settings, servers, siteSecret: parts.agentSecret })
  const stores: readonly ResourceStore[] = [
    createServerStore({ servers, ...engines, install, leftGroups: serverGroups.reload }, around),
    createServerGroupStore({ groups: serverGroups, servers }, around),
    createCronStore({ crons, notificationGroups, runs: engines.runs, stepUp }, around),
    createNotificationStore({ notifications, deliver: engines.deliver, leftGroups: notificationGroups.reload }, around),
    createNotificationGroupStore({ groups: notificationGroups, notifications }, around),
    createServiceStore(
      {
        services,
        crons,
        notificationGroups,
        monitors: engines.monitors,
        figuresVersion: () => base.announcements.versionOf('service'),
      },
      around,
    ),
    createAlertRuleStore({ ...engines, ...base, rules: records.alertRules, crons, notificationGroups }, around),
    createIncidentStore({ incidents: engines.incidents, services: records.services }, around),
    createMaintenanceWindowStore({ windows: records.maintenanceWindows, services: records.services }, around),
    createRunStore({ runs: engines.runs, stepUp }, around),
    createTransferStore({ records: transfers, transfers: engines.moves }, around),
    createApiTokenStore({ tokens: apiTokens, random, revoked: (id) => sockets.endToken(id, 'token revoked') }, around),
    createSessionStore({ sessions, streams: engines.streams, sockets }, around),
    createSettingStore({ settings, version, history: engines.history }),
    createAccountStore({
      accounts,
      limits,
      settings,
      async newStart(caller) {
        const { viewer, session } = caller
        await sessions.endUser(viewer.id as number, session)
        sockets.endUser(viewer.id as number, 'credentials changed', session)
        if (session === null) return
        caller.renewed = await sessions.renew(session)
        sockets.renewed(session, caller.renewed.session)
      },
    }),
  ]
  return stores
}
