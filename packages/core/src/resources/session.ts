import * as z from 'zod'
import { defineAction, defineResource, lazy, namedOptions } from '../define/index.ts'
import { common, commonKinds, id, instant, owner, ownerKind } from '../schemas/index.ts'

export const SessionKind = namedOptions('sign-in', 'shell')

const added = lazy(() => ({
  ...common,
  kind: z.enum(SessionKind),
  /** The `User-Agent`, or an API token’s name. */
  client: z.string(),
  address: z.string(),
  server_id: id,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  is_current: z.boolean(),
  owner,
}))

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

export function deviceOf(client: string): string {
  const browser = browsers.find(([mark]) => client.includes(mark))?.[1]
  const system = systems.find(([mark]) => client.includes(mark))?.[1]
  return browser === undefined ? client : [browser, system].filter(Boolean).join(', ')
}

const revoke = defineAction<{ id: number; is_current: boolean }>()({
  on: 'many',
  scope: null,
  icon: 'log-out',
  key: { web: 'Delete', tui: 'D' },
  tone: 'bad',
  confirm: 'ask',
  aliases: ['end', 'sign out elsewhere', 'close shell', 'kick'],
  warn: [{ when: { is_current: { is: true } }, warning: 'current' }],
  wire: { method: 'POST', path: 'session/{id}/revoke' },
  outcome: (_answer, rows) => ({ kind: 'done', removed: rows.map((row) => row.id) }),
})

export const session = defineResource({
  name: 'session',
  icon: 'monitor',
  title: 'device',
  place: 'menu',
  added,
  fields: {
    ...commonKinds,
    kind: { kind: 'choice', show: 'always', options: SessionKind, words: true },
    client: { kind: 'text' },
    address: { kind: 'address', aliases: ['ip'] },
    server_id: { kind: 'ref', to: 'server', aliases: ['server'] },
    last_used_at: { kind: 'instant', aliases: ['used'], short: true },
    expires_at: { kind: 'instant', show: 'detail' },
    is_current: { kind: 'flag', aliases: ['current'] },
    owner: ownerKind,
  },
  derived: {
    device: { kind: 'text', show: 'always', from: ({ client }) => deviceOf(client) },
    user: { kind: 'text', show: 'wide', from: ({ owner: whose }) => whose?.username ?? '' },
  },
  columns: ['device', 'kind', 'server_id', 'address', 'user', 'created_at', 'last_used_at', 'is_current', 'expires_at'],
  sort: { field: 'last_used_at', order: 'desc' },
  search: ['client', 'address', 'user', 'server_id'],
  facet: 'kind',
  scopes: { read: null, write: null, remove: null },
  wire: { verbs: ['list'] },
  requires: 'sessions',
  needsSession: true,
  actions: { revoke },
})
