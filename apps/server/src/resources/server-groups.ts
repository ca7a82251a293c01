import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { serverGroup } from '@qd/core/resources'
import type { Db } from '../db/schema.ts'
import type { Accounts, Records, ServerGroupRow, ServerRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { texts } from '../texts.ts'
import { groupTable } from './group-table.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { createStore, owns, ownsServer, type ResourceStore, type Surroundings } from './store.ts'

const persist = groupTable<ServerGroupRow>('server_groups', {
  table: 'server_group_members',
  column: 'server_id',
  field: 'servers',
})

/** Loads all groups with their members. */
export function createServerGroups(parts: { db: Db; clock: Clock }): Promise<MutableRecords<ServerGroupRow>> {
  return createRecords<ServerGroupRow>({ ...parts, persist, compare: byId })
}

/** The store behind the group routes. */
export function createServerGroupStore(
  parts: { groups: MutableRecords<ServerGroupRow>; servers: Records<ServerRow> },
  around: Surroundings,
): ResourceStore {
  const { groups, servers } = parts
  return createStore<ServerGroupRow>(
    {
      resource: serverGroup,
      records: groups,
      fieldsOf: ({ name, servers }) => ({ name, servers }),
      omit: [],
      otherVersion: () => String(servers.version()),
      project: (viewer, group) => project(viewer, group, servers),
      check: (input, owner) => checkServers(input.servers as readonly number[], { owner, ...around }, texts.serverIds),
    },
    around,
  )
}

/**
 * Guests see groups with a server that is not hidden from them, members their own groups with their own servers (S-33), a
 * token that is limited to some servers groups with one of these.
 */
function project(viewer: Viewer, group: ServerGroupRow, servers: Records<ServerRow>): ServerGroupRow | null {
  const guest = viewer.id === null
  if (!guest && !owns(viewer, group)) return null
  const visible = group.servers.filter((id) => {
    const row = servers.find(id)
    return row !== undefined && (guest ? !row.hide_for_guest : ownsServer(viewer, row))
  })
  if ((guest || viewer.servers) && visible.length === 0) return null
  return visible.length === group.servers.length ? group : { ...group, servers: visible }
}

/** Every named server must exist and be within the owner's reach; a foreign one answers as an unknown one (S-27, S-28). Errors: `invalid`. */
export function checkServers(
  ids: readonly number[],
  {
    owner,
    servers,
    accounts,
    field = 'servers',
  }: { owner: number; servers: Records<ServerRow>; accounts: Accounts; field?: string },
  text: string,
): void {
  const all = accounts.isAdmin(owner)
  const bad = ids.filter((id) => {
    const row = servers.find(id)
    return row === undefined || !(all || row.owner_id === owner)
  })
  if (bad.length === 0) return
  throw new AppError('invalid', { text }, { problems: [{ field, code: 'unknownReference', params: { ids: bad } }] })
}
