import * as z from 'zod'
import { defineResource, lazy, scopeRights } from '../define/index.ts'
import { byteLength, id, ids, instant, owner, ownerKind } from '../schemas/index.ts'

/** Scopes that only an admin may give to a token. */
export const adminScopes: readonly string[] = ['nezha:*', 'nezha:admin:*']

/** Every scope a token can have. */
export const tokenScopes: readonly string[] = [
  ...Object.entries<readonly string[]>(scopeRights).flatMap(([of, verbs]) =>
    [...verbs, '*'].map((verb) => `nezha:${of}:${verb}`),
  ),
  ...adminScopes,
]

/** What the rights are for, by the word that people know it by. */
const nouns: Readonly<Record<string, string>> = {
  inventory: 'ui.rights.inventory',
  ddns: 'ui.rights.ddns',
  nat: 'ui.rights.nat',
  alertrule: 'resources.alert-rule.many',
}

/** `nezha:cron:exec` in words: "Tasks", "run". */
function scopeWords(scope: string): readonly string[] {
  const [, of = '', right = ''] = scope.split(':')
  if (of === '*') return ['ui.rights.everything']
  if (of === 'admin') return ['ui.rights.administer']
  return [nouns[of] ?? `resources.${of}.many`, `ui.rights.${right === '*' ? 'all' : right}`]
}

/** All rights to read, and none to change. */
const reading = tokenScopes.filter((scope) => scope.endsWith(':read'))

/** Words of an earlier release, by the scopes they stand for. */
const legacy: Readonly<Record<string, string>> = {
  'mcp:server:read': 'nezha:server:read',
  'mcp:fs:read': 'nezha:server:read',
  'mcp:server:exec': 'nezha:server:exec',
}

const most = { nameBytes: 128, scopes: 32, servers: 1000, days: 3650 }

const input = lazy(() =>
  z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .superRefine((name, context) => {
        if (byteLength(name) > most.nameBytes)
          context.addIssue({ code: 'custom', params: { code: 'tooManyBytes', maximum: most.nameBytes } })
      })
      .meta({ maxLength: most.nameBytes }),
    scopes: z
      .array(z.string().trim().max(64))
      .max(most.scopes)
      .overwrite((list) => [...new Set(list.filter((scope) => scope !== '').map((scope) => legacy[scope] ?? scope))])
      .min(1)
      .refine((list) => list.every((scope) => tokenScopes.includes(scope)), { params: { code: 'notOption' } }),
    server_ids: ids.refine((list) => list.length <= most.servers, {
      params: { code: 'tooManyItems', maximum: most.servers },
    }),
    expires_in_days: z.int().min(0).max(most.days).nullable(),
  }),
)

const added = lazy(() => ({
  id,
  created_at: instant.nullable(),
  expires_at: instant.nullable(),
  last_used_at: instant.nullable(),
  last_used_ip: z.string(),
  owner,
}))

/** A key for scripts. It acts as its owner, within its scopes and servers. Its text is shown once, when it is made. */
export const apiToken = defineResource({
  name: 'api-token',
  icon: 'key',
  title: 'name',
  path: '/dashboard/settings/api-tokens',
  place: 'menu',
  go: 'g k',
  input,
  added,
  initial: { name: '', scopes: [], server_ids: [], expires_in_days: 90 },
  presets: {
    reading: { scopes: reading },
    runs: { scopes: ['nezha:inventory:read', 'nezha:cron:read', 'nezha:cron:exec'] },
    prometheus: { scopes: ['nezha:inventory:read', 'nezha:service:read'] },
  },
  fields: {
    id: { kind: 'number' },
    created_at: { kind: 'instant' },
    name: { kind: 'text' },
    scopes: { kind: 'list', options: tokenScopes, words: scopeWords, aliases: ['scope'], flag: true, short: true },
    server_ids: { kind: 'refs', to: 'server', help: true, aliases: ['servers'], flag: true },
    expires_in_days: { kind: 'number', min: 0, max: most.days, digits: 0, help: true, flag: true, formOnly: true },
    expires_at: { kind: 'instant', aliases: ['expires'], short: true },
    last_used_at: { kind: 'instant', aliases: ['used'], short: true },
    last_used_ip: { kind: 'address', short: true },
    owner: ownerKind,
  },
  derived: {
    reach: {
      kind: 'reach',
      from: ({ server_ids: servers }) => ({ mode: servers.length > 0 ? 'only' : 'except', servers }),
    },
  },
  columns: [
    { field: 'name', show: 'always' },
    { field: 'scopes' },
    { field: 'reach', show: 'wide' },
    { field: 'last_used_at' },
    { field: 'last_used_ip', show: 'wide' },
    { field: 'expires_at' },
    { field: 'created_at', show: 'detail' },
  ],
  sort: { field: 'name', order: 'asc' },
  search: ['scopes'],
  form: [
    { group: 'what', fields: [{ field: 'name' }, { field: 'expires_in_days' }] },
    { group: 'may', fields: [{ field: 'scopes', wide: true }] },
    { group: 'where', fields: [{ field: 'server_ids', wide: true }] },
  ],
  requires: 'api-tokens',
  scopes: { read: null, write: null, remove: null },
  wire: {
    path: 'api-tokens',
    verbs: ['list', 'create', 'delete'],
    calls: {
      create: { method: 'POST', path: 'api-tokens', reveals: 'token' },
      delete: { method: 'DELETE', path: 'api-tokens/{id}' },
    },
    encodeRow: ({ updated_at: _updated, ...item }) => item,
  },
  needsSession: true,
  stepUp: ['create'],
})
