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
    // The old password may be from a time with other length rules (decisions.md, "Password").
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
  /** Number of agents that still use the previous secret; only from our server. */
  secret_waiting: z.int(),
  /** From the setting `avatar_service`; empty: draw one. */
  avatar_url: z.string(),
  totp: z.boolean(),
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

export const account = defineResource({
  name: 'account',
  icon: 'user',
  title: 'username',
  path: '/dashboard/profile',
  aliases: ['profile', 'password', 'second factor', 'totp', 'sign-in'],
  go: 'g p',
  input,
  added,
  fields: {
    ...commonKinds,
    username: { kind: 'text', show: 'always' },
    role: { kind: 'choice', options: Role },
    login_ip: { kind: 'address' },
    agent_secret: { kind: 'secret' },
    secret_waiting: { kind: 'number', digits: 0, requires: 'secret-rotation' },
    avatar_url: { kind: 'text', hidden: true },
    totp: { kind: 'flag' },
    recovery_codes: { kind: 'number', digits: 0 },
    oauth2_bind: { kind: 'part', schema: () => z.record(z.string(), z.string()).catch({}) },
    new_username: { kind: 'text', wide: true, formOnly: true },
    original_password: { kind: 'secret', password: 'current' },
    new_password: { kind: 'secret', password: 'new', help: true },
    reject_password: { kind: 'flag', hidden: true },
  },
  derived: {
    bound: { kind: 'text', from: ({ oauth2_bind }) => Object.keys(oauth2_bind).join(', ') },
    rejects_password: { kind: 'flag', from: ({ reject_password }) => reject_password === true },
  },
  columns: ['username', 'role', 'login_ip', 'bound', 'rejects_password', 'totp', 'recovery_codes', 'secret_waiting'],
  form: { credentials: ['new_username', 'original_password', 'new_password'] },
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
