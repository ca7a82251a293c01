import * as z from 'zod'
import { defineAction, defineResource, lazy, namedOptions } from '../define/index.ts'
import { asciiDomain, common, commonKinds, id, instant, owner, ownerKind } from '../schemas/index.ts'
import { hostPort } from './service-target.ts'
import { switchActions } from './switching.ts'

/** Normalizes a hostname like a browser: ASCII, lower case, with a nonstandard port. Null if invalid. */
export function hostName(text: string): string | null {
  const [, name = '', port = ''] = /^(.*?)(:\d{1,5})?$/.exec(text.trim()) ?? []
  const ascii = asciiDomain(name)
  return ascii === null || Number(port.slice(1)) > 65_535 ? null : `${ascii}${port}`
}

const bound = lazy(() =>
  z
    .string()
    .max(1000)
    .transform((text, context) => {
      const name = hostName(text)
      if (name !== null) return name
      context.addIssue({ code: 'custom', params: { code: 'notDomain', text: text.slice(0, 100) } })
      return z.NEVER
    }),
)

const checkCapability = 'nat-check'

const input = lazy(() =>
  z.strictObject({
    name: z.string().min(1).max(128),
    enabled: z.boolean(),
    server_id: id.min(1),
    host: z
      .string()
      .trim()
      .max(300)
      .refine((text) => hostPort(text) !== null, { params: { code: 'notHostPort' } }),
    domain: bound(),
  }),
)

const added = lazy(() => ({ ...common, checked_at: instant.nullable(), check_error: z.string(), owner }))

type Profile = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

const TargetState = namedOptions('off', 'never', 'reachable', 'unreachable')

function stateOf({ enabled, checked_at, check_error }: Profile): keyof typeof TargetState {
  if (!enabled) return 'off'
  if (checked_at === null) return 'never'
  return check_error === '' ? 'reachable' : 'unreachable'
}

const check = defineAction<Profile>()({
  on: 'many',
  scope: 'nezha:nat:write',
  icon: 'activity',
  key: 'r',
  aliases: ['check now', 'probe', 'reachable'],
  capability: checkCapability,
  wire: { method: 'POST', path: 'nat/{id}/check' },
})

export const nat = defineResource({
  name: 'nat',
  icon: 'route',
  tab: true,
  go: 'g x',
  aliases: ['tunnel', 'reverse proxy'],
  input,
  added,
  initial: { enabled: true },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always' },
    enabled: { kind: 'flag', show: 'always', switch: { on: 'enable', off: 'disable' } },
    server_id: { kind: 'ref', to: 'server', aliases: ['server'], flag: true },
    host: { kind: 'address', help: true, aliases: ['target'] },
    domain: { kind: 'address', show: 'always', wide: true, help: true },
    checked_at: { kind: 'instant', show: 'wide', aliases: ['checked'], requires: checkCapability, short: true },
    check_error: { kind: 'note', show: 'detail', aliases: ['error'], requires: checkCapability },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: TargetState,
      requires: checkCapability,
      tones: { off: 'muted', never: 'muted', reachable: 'ok', unreachable: 'bad' },
      words: true,
      from: stateOf,
    },
  },
  columns: ['name', 'domain', 'server_id', 'host', 'state', 'enabled', 'checked_at', 'check_error'],
  search: ['domain', 'host', 'server_id'],
  facet: 'state',
  form: { what: ['name', 'enabled'], where: ['domain', 'server_id', 'host'] },
  targets: ({ server_id }) => ({ mode: 'only', servers: server_id ? [server_id] : [] }),
  scopes: { read: 'nezha:nat:read', write: 'nezha:nat:write', remove: 'nezha:nat:delete' },
  detail: {
    sections: [
      { kind: 'problem', field: 'check_error' },
      { kind: 'facts', fields: ['domain', 'host', 'checked_at'] },
      { kind: 'links', fields: ['server_id'], headed: true },
      { kind: 'rest' },
    ],
  },
  actions: { check, ...switchActions({ path: 'nat', field: 'enabled', scope: 'nezha:nat:write', input }) },
})
