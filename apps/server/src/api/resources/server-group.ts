import type { Viewer } from '@qd/core/define'
import { serverGroup } from '@qd/core/resources'
import { texts } from '../../kernel/texts.ts'
import { owns, ownsServer } from '../../store/records/rights.ts'
import type { Records, ServerGroupRow, ServerRow } from '../../store/records/rows.ts'
import { defineEntity, type Entity } from './entity.ts'

export const serverGroups: Entity<'server-group', ServerGroupRow> = defineEntity(serverGroup, {
  table: 'server_groups',
  members: { table: 'server_group_members', column: 'server_id', field: 'servers' },
  rules: ({ servers }) => ({
    otherVersion: () => String(servers.version()),
    project: (viewer, group) => project(viewer, group, servers),
    texts: { 'servers.unknownReference': () => texts.serverIds },
  }),
})

/** Guests see groups with a visible server, members their own groups with their own servers (S-33), limited tokens groups with one of theirs. */
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
