import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, type Outcome, Role } from '../define/index.ts'
import { common, commonKinds, passwordBounds, passwordFault, usernameLength } from '../schemas/index.ts'
import { secondFactorActions } from './account-totp.ts'
import { wayActions } from './account-ways.ts'
import { rotation, rotationEnd } from './rotation.ts'

const newPassword = lazy(() =>
  z
    .string()
    .superRefine((value, context) => {
      const fault = passwordFault(value)
      if (fault) context.addIssue({ code: 'custom', params: fault })
    })
    .meta({ maxLength: passwordBounds.bytes }),
)

const input = lazy(() =>
  z.strictObject({
    new_username: z.string().min(usernameLength.min).max(usernameLength.max),
    // The old password is only compared: its length was judged by the rules of another day (decisions.md, "Password").
    original_password: z.string().min(1).max(1024),
    new_password: newPassword(),
    reject_password: z.boolean(),
  }),
)

const added = lazy(() => ({
  ...common,
  username: z.string(),
  role: z.int(),
  login_ip: z.string(),
  agent_secret: z.string(),
  /** Agents that still use the secret before this one, while it is being rotated; ours only. */
  secret_waiting: z.int(),
  /** Where the setting `avatar_service` has a picture of this person; empty: one is drawn here. */
  avatar_url: z.string(),
  /** A second factor is on. */
  totp: z.boolean(),
  /** How many recovery codes are left. */
  recovery_codes: z.int(),
  oauth2_bind: z.record(z.string(), z.string()).catch({}),
}))

const signOut = defineAction<{ id: number }>()({
  on: 'none',
  scope: null,
  icon: 'log-out',
  aliases: ['logout', 'quit session'],
  async run({ api }) {
    await api.send({ method: 'POST', path: 'logout' })
    return { kind: 'open', screen: 'login', id: null }
  },
})

const secretAnswer = lazy(() => z.object({ agent_secret: z.string() }))

/** The agent secret in an answer, to be read and copied; a dry run has none. */
function agentSecret(answer: unknown): Outcome {
  const read = secretAnswer().safeParse(answer)
  if (!read.success) return { kind: 'done' }
  return { kind: 'secret', resource: 'account', of: 'agent_secret', text: read.data.agent_secret, again: true }
}

const showSecret = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'eye',
  aliases: ['agent key', 'client secret', 'token of agents'],
  wire: { method: 'GET', path: 'profile' },
  run: async ({ api }) => agentSecret(await api.send({ method: 'GET', path: 'profile' })),
})

const renewSecret = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'refresh-cw',
  tone: 'bad',
  confirm: 'ask',
  stepUp: true,
  capability: 'account',
  aliases: ['rotate agent secret', 'new agent key', 'leaked secret'],
  warn: [{ when: {}, warning: 'agents' }],
  wire: { method: 'POST', path: 'profile/agent-secret', body: () => ({}) },
  outcome: agentSecret,
})

const rotateSecret = defineAction<AnyRow>()({
  ...rotation,
  on: 'none',
  scope: null,
  wire: { method: 'POST', path: 'profile/agent-secret/rotate', body: () => ({}) },
  outcome: agentSecret,
})

const endRotation = defineAction<AnyRow>()({
  ...rotationEnd,
  on: 'none',
  scope: null,
  wire: { method: 'POST', path: 'profile/agent-secret/end', body: () => ({}) },
  outcome: () => ({ kind: 'done' }),
})

/** The person who is signed in. */
export const account = defineResource({
  name: 'account',
  icon: 'user',
  title: 'username',
  path: '/dashboard/profile',
  aliases: ['profile', 'password', 'second factor', 'totp', 'sign-in'],
  go: 'g p',
  input,
  added,
  initial: { new_username: '', original_password: '', new_password: '', reject_password: false },
  fields: {
    ...commonKinds,
    username: { kind: 'text' },
    role: { kind: 'choice', options: Role },
    login_ip: { kind: 'address' },
    agent_secret: { kind: 'secret' },
    secret_waiting: { kind: 'number', digits: 0, requires: 'secret-rotation' },
    avatar_url: { kind: 'text', hidden: true },
    totp: { kind: 'flag' },
    recovery_codes: { kind: 'number', digits: 0 },
    oauth2_bind: { kind: 'part', schema: () => z.record(z.string(), z.string()).catch({}) },
    new_username: { kind: 'text', formOnly: true },
    original_password: { kind: 'secret', password: 'current' },
    new_password: { kind: 'secret', password: 'new', help: true },
    reject_password: { kind: 'flag', hidden: true },
  },
  derived: {
    bound: { kind: 'text', from: ({ oauth2_bind }) => Object.keys(oauth2_bind).join(', ') },
    rejects_password: { kind: 'flag', from: ({ reject_password }) => reject_password === true },
  },
  columns: [
    { field: 'username', show: 'always' },
    { field: 'role' },
    { field: 'login_ip' },
    { field: 'bound' },
    { field: 'rejects_password' },
    { field: 'totp' },
    { field: 'recovery_codes' },
    { field: 'secret_waiting' },
  ],
  sort: { field: 'username', order: 'asc' },
  form: [
    {
      group: 'credentials',
      fields: [{ field: 'new_username', wide: true }, { field: 'original_password' }, { field: 'new_password' }],
    },
  ],
  scopes: { read: null, write: null, remove: null },
  wire: {
    verbs: ['get', 'edit'],
    path: 'profile',
    shape: 'one',
    calls: { edit: { method: 'POST', path: 'profile' } },
    decode: (item) => ({ ...(item as { username?: string }), new_username: (item as { username?: string }).username }),
  },
  needsSession: true,
  actions: {
    'show-secret': showSecret,
    'rotate-secret': rotateSecret,
    'end-rotation': endRotation,
    'renew-secret': renewSecret,
    ...secondFactorActions,
    ...wayActions,
    'sign-out': signOut,
  },
  cli: { edit: 'account password', 'show-secret': 'account secret', 'sign-out': 'logout' },
})
