import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, Role } from '../define/index.ts'
import { common, commonKinds, instant, passwordBounds, passwordFault, usernameLength } from '../schemas/index.ts'
import { rotation, rotationEnd } from './rotation.ts'

/** The capability of editing users, and of `is_self` and `owns`. */
const editCapability = 'user-edit'

const input = lazy(() =>
  z.strictObject({
    username: z.string().trim().min(usernameLength.min).max(usernameLength.max),
    // Refuses invalid and missing roles (decisions.md, "User without role").
    role: z.enum(Role),
    /** `password` on the wire. Empty keeps the stored one. */
    new_password: z
      .string()
      .superRefine((value, context) => {
        const fault = value === '' ? null : passwordFault(value)
        if (fault) context.addIssue({ code: 'custom', params: fault })
      })
      .meta({ maxLength: passwordBounds.bytes }),
  }),
)

const added = lazy(() => ({
  ...common,
  /** Number of agents that still use the previous secret; only from our server. */
  secret_waiting: z.int(),
  reject_password: z.boolean(),
  totp: z.boolean(),
  last_used_at: instant.nullable(),
  is_self: z.boolean(),
  owns: z.record(z.string(), z.number()).catch({}),
}))

/** Users edit themselves as the account, which requires the old password; so an admin always remains. */
const notSelf = [{ when: { is_self: { is: true } }, reason: 'self' }]

const resetTotp = defineAction<AnyRow>()({
  on: 'one',
  scope: 'nezha:admin:*',
  icon: 'key',
  tone: 'bad',
  confirm: 'ask',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['lost phone', 'reset 2fa', 'authenticator'],
  blocked: [...notSelf, { when: { totp: { not: true } }, reason: 'totpOff' }],
  warn: [{ when: {}, warning: 'totp' }],
  wire: { method: 'POST', path: 'user/{id}/reset-totp' },
})

const rotateSecret = defineAction<AnyRow>()({
  ...rotation,
  on: 'one',
  scope: 'nezha:admin:*',
  wire: { method: 'POST', path: 'user/{id}/rotate-secret' },
})

const endRotation = defineAction<AnyRow>()({
  ...rotationEnd,
  on: 'one',
  scope: 'nezha:admin:*',
  wire: { method: 'POST', path: 'user/{id}/end-rotation' },
})

export const user = defineResource({
  name: 'user',
  icon: 'users',
  title: 'username',
  path: '/dashboard/settings/user',
  place: 'menu',
  family: 'setting',
  aliases: ['people', 'members', 'admins', 'password reset'],
  go: 'g u',
  input,
  added,
  initial: { role: Role.user },
  fields: {
    ...commonKinds,
    created_at: { kind: 'instant', show: 'wide' },
    username: { kind: 'text', show: 'always', aliases: ['name'], short: true },
    role: { kind: 'choice', show: 'always', options: Role, words: true, help: true },
    new_password: { kind: 'secret', wide: true, needed: true, password: 'new', help: true },
    secret_waiting: { kind: 'number', show: 'detail', digits: 0, requires: 'secret-rotation' },
    reject_password: { kind: 'flag', show: 'detail' },
    totp: { kind: 'flag', show: 'wide', aliases: ['2fa'], requires: 'second-factor' },
    last_used_at: { kind: 'instant', aliases: ['used'], requires: 'sessions', short: true },
    is_self: { kind: 'flag', show: 'detail', aliases: ['self', 'me'], requires: editCapability },
    owns: { kind: 'part', schema: () => z.record(z.string(), z.number()).catch({}), requires: editCapability },
  },
  derived: {
    servers: { kind: 'number', digits: 0, requires: editCapability, from: ({ owns }) => owns.server ?? 0 },
    records: {
      kind: 'number',
      show: 'wide',
      digits: 0,
      requires: editCapability,
      from: ({ owns }) => Object.values(owns).reduce((sum, count) => sum + count, 0),
    },
  },
  columns: [
    'username',
    'role',
    'servers',
    'records',
    'last_used_at',
    'created_at',
    'is_self',
    'reject_password',
    'totp',
    'secret_waiting',
  ],
  facet: 'role',
  form: { who: ['username', 'role'], credentials: ['new_password'] },
  owned: ({ owns }) => owns,
  scopes: { read: 'nezha:admin:*', write: 'nezha:admin:*', remove: 'nezha:admin:*' },
  audience: { read: 'admin', write: 'admin' },
  stepUp: ['create', 'edit', 'delete'],
  actions: {
    open: { blocked: notSelf, capability: editCapability },
    edit: { blocked: notSelf, capability: editCapability },
    delete: { blocked: notSelf, typed: true },
    'reset-totp': resetTotp,
    'rotate-secret': rotateSecret,
    'end-rotation': endRotation,
  },
  wire: {
    encode: ({ new_password: password, ...input }) => ({ ...input, password }),
    decodeInput: (body) => {
      const { password, ...rest } = body as { password?: unknown }
      return { ...rest, new_password: password }
    },
  },
})
