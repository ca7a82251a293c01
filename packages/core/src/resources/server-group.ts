import * as z from 'zod'
import { defineResource, lazy } from '../define/index.ts'
import { common, commonKinds, ids, owner, ownerKind } from '../schemas/index.ts'

const input = lazy(() => z.strictObject({ name: z.string().min(1).max(128), servers: ids }))
const added = lazy(() => ({ ...common, owner }))

/** What the wire wraps a group in; `servers` is null for a group without visible members. Source: contract http-api 3.7. */
interface GroupItem {
  group: Record<string, unknown>
  servers: number[] | null
}

/** A named set of servers. */
export const serverGroup = defineResource({
  name: 'server-group',
  icon: 'layers',
  title: 'name',
  path: '/dashboard/server-group',
  family: 'group',
  tab: true,
  go: 'g c',
  input,
  added,
  initial: { name: '', servers: [] },
  fields: {
    ...commonKinds,
    name: { kind: 'text' },
    servers: { kind: 'refs', to: 'server', flag: true },
    owner: ownerKind,
  },
  derived: { reach: { kind: 'reach', from: ({ servers }) => ({ mode: 'only' as const, servers }) } },
  columns: [
    { field: 'name', show: 'always' },
    { field: 'servers' },
    { field: 'reach', show: 'wide' },
    { field: 'updated_at', show: 'wide' },
  ],
  sort: { field: 'name', order: 'asc' },
  search: ['servers'],
  form: [
    { group: 'what', fields: [{ field: 'name' }] },
    { group: 'where', fields: [{ field: 'servers', wide: true }] },
  ],
  reach: ({ servers }) => ({ mode: 'only', servers }),
  aim: (_values, servers) => ({ servers }),
  scopes: { read: 'nezha:inventory:read', write: 'nezha:server:write', remove: 'nezha:inventory:delete' },
  audience: { read: 'guest' },
  wire: {
    decode(item) {
      const { group, servers } = item as GroupItem
      return { ...group, servers, owner: (item as { owner?: unknown }).owner }
    },
    encodeRow({ servers, owner: whose, ...group }) {
      const members = servers as readonly number[]
      return { group, servers: members.length > 0 ? members : null, owner: whose }
    },
  },
})
