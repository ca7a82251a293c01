import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, Role } from '../define/index.ts'
import { common, commonKinds, instant, passwordBounds, passwordFault, usernameLength } from '../schemas/index.ts'
import { rotation, rotationEnd } from './rotation.ts'

/** The capability of a server that changes users, and tells who asks and what is whose. */
const editCapability = 'user-edit'

const input = lazy(() =>
  z.strictObject({
    username: z.string().trim().min(usernameLength.min).max(usernameLength.max),
    // What is no role at all is refused here; a missing one too (decisions.md, "User without role").
    role: z.enum(Role),
    /** On the wire `password`. Empty keeps the one that is stored. */
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
  /** Agents that still use the former agent secret, while it is being rotated; ours only. */
  secret_waiting: z.int(),
  /** Signs in by a provider alone. */
  reject_password: z.boolean(),
  /** A second factor is on; ours only. */
  totp: z.boolean(),
  /** The newest use of a sign-in; ours only. */
  last_used_at: instant.nullable(),
  /** The person who asks; ours only. */
  is_self: z.boolean(),
  /** How many records are theirs and go with them, by entity; ours only. */
  owns: z.record(z.string(), z.number()).catch({}),
}))

/** The own record is changed as the account, where the old password is asked; so there is always an admin left. */
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

/** Somebody who may sign in. */
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
  initial: { username: '', role: Role.user, new_password: '' },
  fields: {
    ...commonKinds,
    username: { kind: 'text', aliases: ['name'], short: true },
    role: { kind: 'choice', options: Role, words: true, help: true },
    new_password: { kind: 'secret', needed: true, password: 'new', help: true },
    secret_waiting: { kind: 'number', digits: 0, requires: 'secret-rotation' },
    reject_password: { kind: 'flag' },
    totp: { kind: 'flag', aliases: ['2fa'], requires: 'second-factor' },
    last_used_at: { kind: 'instant', aliases: ['used'], requires: 'sessions', short: true },
    is_self: { kind: 'flag', aliases: ['self', 'me'], requires: editCapability },
    owns: { kind: 'part', schema: () => z.record(z.string(), z.number()).catch({}), requires: editCapability },
  },
  derived: {
    servers: { kind: 'number', digits: 0, requires: editCapability, from: ({ owns }) => owns.server ?? 0 },
    records: {
      kind: 'number',
      digits: 0,
      requires: editCapability,
      from: ({ owns }) => Object.values(owns).reduce((sum, count) => sum + count, 0),
    },
  },
  columns: [
    { field: 'username', show: 'always' },
    { field: 'role', show: 'always' },
    { field: 'servers' },
    { field: 'records', show: 'wide' },
    { field: 'last_used_at' },
    { field: 'created_at', show: 'wide' },
    { field: 'is_self', show: 'detail' },
    { field: 'reject_password', show: 'detail' },
    { field: 'totp', show: 'wide' },
    { field: 'secret_waiting', show: 'detail' },
  ],
  sort: { field: 'username', order: 'asc' },
  facet: 'role',
  form: [
    { group: 'who', fields: [{ field: 'username' }, { field: 'role' }] },
    { group: 'credentials', fields: [{ field: 'new_password', wide: true }] },
  ],
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
