import * as z from 'zod'
import { defineResource, lazy } from '../define/index.ts'
import { common, commonKinds, ids, owner, ownerKind } from '../schemas/index.ts'

const input = lazy(() => z.strictObject({ name: z.string().min(1).max(128), servers: ids }))
const added = lazy(() => ({ ...common, owner }))

/** `servers` is null without visible members. Source: contract http-api 3.7. */
interface GroupItem {
  group: Record<string, unknown>
  servers: number[] | null
}

export const serverGroup = defineResource({
  name: 'server-group',
  icon: 'layers',
  family: 'group',
  tab: true,
  go: 'g c',
  input,
  added,
  fields: {
    ...commonKinds,
    updated_at: { kind: 'instant', show: 'wide' },
    name: { kind: 'text', show: 'always' },
    servers: { kind: 'refs', wide: true, to: 'server', flag: true },
    owner: ownerKind,
  },
  derived: { reach: { kind: 'targets', show: 'wide', from: ({ servers }) => ({ mode: 'only' as const, servers }) } },
  columns: ['name', 'servers', 'reach', 'updated_at'],
  search: ['servers'],
  form: { what: ['name'], where: ['servers'] },
  targets: ({ servers }) => ({ mode: 'only', servers }),
  withTargets: (_values, servers) => ({ servers }),
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
