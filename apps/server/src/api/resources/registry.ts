import { type AnyRow, type ResourceName, titleOf, type View, type Viewer } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { createFollow } from '../../act/following.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { KeptRecords } from '../../store/records/references.ts'
import type { Container } from '../container.ts'
import { accountRoutes } from './account.ts'
import { alertRules } from './alert-rule.ts'
import { apiTokens } from './api-token.ts'
import { auditRoutes } from './audit.ts'
import { crons } from './cron.ts'
import { ddnsProfiles } from './ddns.ts'
import type { Entity, LoadParts, Served } from './entity.ts'
import { incidentRoutes } from './incident.ts'
import { maintenanceWindows } from './maintenance-window.ts'
import { natProfiles } from './nat.ts'
import { notifications } from './notification.ts'
import { notificationGroups } from './notification-group.ts'
import { onlineUserRoutes } from './online-user.ts'
import { runRoutes } from './run.ts'
import { servers } from './server.ts'
import { serverGroups } from './server-group.ts'
import { services } from './service.ts'
import { sessionRoutes } from './session.ts'
import { settingRoutes } from './setting.ts'
import { signInProviders } from './sign-in-provider.ts'
import type { ResourceStore, Surroundings } from './store.ts'
import { transfers } from './transfer.ts'
import { userRoutes } from './user.ts'
import { wafRoutes } from './waf.ts'

const entities = {
  servers,
  serverGroups,
  crons,
  transfers,
  notifications,
  notificationGroups,
  services,
  alertRules,
  ddns: ddnsProfiles,
  nat: natProfiles,
  maintenanceWindows,
  apiTokens,
  signInProviders,
}
type Entities = typeof entities

const others = [
  incidentRoutes,
  runRoutes,
  sessionRoutes,
  settingRoutes,
  userRoutes,
  accountRoutes,
  wafRoutes,
  onlineUserRoutes,
  auditRoutes,
] as const

/** Doesn't compile if a core resource is missing. */
type Answered =
  | Entities[keyof Entities]['resource']['name']
  | (typeof others)[number]['resource']['name']
  // Records of hosts are read there, by one route for all of them.
  | 'unit'
  | 'container'
  | 'process'
  | 'port'
  | 'filesystem'
  | 'package'
const _allAnswered: ResourceName extends Answered ? true : { missing: Exclude<ResourceName, Answered> } = true

export type LoadedRecords = {
  readonly [Name in keyof Entities]: Awaited<ReturnType<Entities[Name]['load']>>
}

export async function loadRecords(
  parts: LoadParts,
  more: readonly Entity[] = [],
): Promise<LoadedRecords & { kept: readonly KeptRecords[] }> {
  const loaded: Record<string, unknown> = {}
  const kept: KeptRecords[] = []
  for (const [name, entity] of [...Object.entries(entities), ...more.map((one) => [one.resource.name, one] as const)]) {
    const records = await (entity as Entity).load(parts)
    loaded[name] = records
    kept.push((entity as Entity).keep(records))
  }
  return { ...(loaded as LoadedRecords), kept }
}

export function createStores(container: Container, more: readonly Entity[] = []): readonly ResourceStore[] {
  const { clock } = container
  const around: Surroundings = {
    ...container,
    follow: createFollow(container),
    view: (viewer) => viewOver(viewer, { stores, clock }),
    async removeOwned(caller, ownerId) {
      for (const { resource, records } of container.kept) {
        const ids = records.all().flatMap(({ id, owner_id }) => (owner_id === ownerId ? [id] : []))
        const store = stores.find((one) => one.resource === resource)
        if (ids.length > 0 && resource.wire.verbs.includes('delete')) await store?.remove(caller, ids)
      }
    },
  }
  const served: readonly Served[] = [...Object.values<Served>(entities), ...others, ...more]
  const stores: readonly ResourceStore[] = served.map((one) => one.serve(container, around))
  return stores
}

/** IDs and titles that a viewer may see, loaded on demand, for derived fields and queries. */
function viewOver(
  viewer: Viewer,
  { stores, clock }: { stores: readonly ResourceStore[]; clock: Pick<Clock, 'now'> },
): View {
  const known = new Map<ResourceName, ReadonlyMap<number, AnyRow>>()
  const rowsOf = (name: ResourceName) => {
    const titles = stores.find(({ resource }) => resource.name === name)?.titles?.(viewer) ?? []
    const rows = known.get(name) ?? new Map(titles.map((row) => [row.id, row]))
    known.set(name, rows)
    return rows
  }
  return {
    now: clock.now(),
    find: (name, id) => rowsOf(name).get(id),
    title(name, id) {
      const resource = resourceByName(name)
      const row = rowsOf(name).get(id)
      return resource && row ? titleOf(resource, row) : null
    },
    all: (name) => [...rowsOf(name).values()],
    referring: () => [],
    trend: () => [],
  }
}
