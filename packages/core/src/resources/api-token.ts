import * as z from 'zod'
import { defineResource, lazy, scopeRights } from '../define/index.ts'
import { byteLength, id, ids, instant, owner, ownerKind } from '../schemas/index.ts'

export const adminScopes: readonly string[] = ['nezha:*', 'nezha:admin:*']

export const tokenScopes: readonly string[] = [
  ...Object.entries<readonly string[]>(scopeRights).flatMap(([of, verbs]) =>
    [...verbs, '*'].map((verb) => `nezha:${of}:${verb}`),
  ),
  ...adminScopes,
]

const nouns: Readonly<Record<string, string>> = {
  inventory: 'ui.rights.inventory',
  ddns: 'ui.rights.ddns',
  nat: 'ui.rights.nat',
  alertrule: 'resources.alert-rule.many',
}

function scopeWords(scope: string): readonly string[] {
  const [, of = '', right = ''] = scope.split(':')
  if (of === '*') return ['ui.rights.everything']
  if (of === 'admin') return ['ui.rights.administer']
  return [nouns[of] ?? `resources.${of}.many`, `ui.rights.${right === '*' ? 'all' : right}`]
}

const reading = tokenScopes.filter((scope) => scope.endsWith(':read'))

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

export const apiToken = defineResource({
  name: 'api-token',
  icon: 'key',
  path: '/dashboard/settings/api-tokens',
  place: 'menu',
  go: 'g k',
  input,
  added,
  initial: { expires_in_days: 90 },
  presets: {
    reading: { scopes: reading },
    runs: { scopes: ['nezha:inventory:read', 'nezha:cron:read', 'nezha:cron:exec'] },
    prometheus: { scopes: ['nezha:inventory:read', 'nezha:service:read'] },
  },
  fields: {
    id: { kind: 'number' },
    created_at: { kind: 'instant', show: 'detail' },
    name: { kind: 'text', show: 'always' },
    scopes: {
      kind: 'list',
      wide: true,
      options: tokenScopes,
      words: scopeWords,
      aliases: ['scope'],
      flag: true,
      short: true,
    },
    server_ids: { kind: 'refs', wide: true, to: 'server', help: true, aliases: ['servers'], flag: true },
    expires_in_days: { kind: 'number', min: 0, max: most.days, digits: 0, help: true, flag: true, formOnly: true },
    expires_at: { kind: 'instant', aliases: ['expires'], short: true },
    last_used_at: { kind: 'instant', aliases: ['used'], short: true },
    last_used_ip: { kind: 'address', show: 'wide', short: true },
    owner: ownerKind,
  },
  derived: {
    reach: {
      kind: 'targets',
      show: 'wide',
      from: ({ server_ids: servers }) => ({ mode: servers.length > 0 ? 'only' : 'except', servers }),
    },
  },
  columns: ['name', 'scopes', 'reach', 'last_used_at', 'last_used_ip', 'expires_at', 'created_at'],
  search: ['scopes'],
  form: { what: ['name', 'expires_in_days'], may: ['scopes'], where: ['server_ids'] },
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
