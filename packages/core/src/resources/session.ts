import * as z from 'zod'
import { defineAction, defineResource, lazy } from '../define/index.ts'
import { common, commonKinds, id, instant, owner, ownerKind } from '../schemas/index.ts'

/** What somebody has open: a sign-in of a browser or of `qd`, or a shell on a server. */
export const SessionKind = { 'sign-in': 'sign-in', shell: 'shell' } as const

const added = lazy(() => ({
  ...common,
  kind: z.enum(SessionKind),
  /** The `User-Agent`, or the name of an API token. */
  client: z.string(),
  address: z.string(),
  /** Of a shell; 0 otherwise. */
  server_id: id,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
  /** The sign-in that asks. */
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

/** A `User-Agent` in two words, e.g. "Firefox, Linux"; any other client as it names itself. */
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

/** Sign-ins and open shells, to look at and to end (D9). */
export const session = defineResource({
  name: 'session',
  icon: 'monitor',
  title: 'device',
  path: '/dashboard/session',
  place: 'menu',
  input: () => z.strictObject({}),
  added,
  initial: {},
  fields: {
    ...commonKinds,
    kind: { kind: 'choice', options: SessionKind, words: true },
    client: { kind: 'text' },
    address: { kind: 'address', aliases: ['ip'] },
    server_id: { kind: 'ref', to: 'server', aliases: ['server'] },
    last_used_at: { kind: 'instant', aliases: ['used'], short: true },
    expires_at: { kind: 'instant' },
    is_current: { kind: 'flag', aliases: ['current'] },
    owner: ownerKind,
  },
  derived: {
    device: { kind: 'text', from: ({ client }) => deviceOf(client) },
    user: { kind: 'text', from: ({ owner: whose }) => whose?.username ?? '' },
  },
  columns: [
    { field: 'device', show: 'always' },
    { field: 'kind', show: 'always' },
    { field: 'server_id' },
    { field: 'address' },
    { field: 'user', show: 'wide' },
    { field: 'created_at' },
    { field: 'last_used_at' },
    { field: 'is_current' },
    { field: 'expires_at', show: 'detail' },
  ],
  sort: { field: 'last_used_at', order: 'desc' },
  search: ['client', 'address', 'user', 'server_id'],
  facet: 'kind',
  form: [],
  scopes: { read: null, write: null, remove: null },
  wire: { verbs: ['list'] },
  requires: 'sessions',
  needsSession: true,
  actions: { revoke },
})
