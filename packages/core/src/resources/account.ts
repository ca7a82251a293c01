import * as z from 'zod'
import {
  type ActionContext,
  type AnyRow,
  type ApiPort,
  type Call,
  defineAction,
  defineResource,
  lazy,
  type Outcome,
  Role,
} from '../define/index.ts'
import { AppError } from '../errors.ts'
import { common, commonKinds, passwordBounds, passwordFault, usernameLength } from '../schemas/index.ts'
import { rotation, rotationEnd } from './rotation.ts'

const begun = lazy(() => z.object({ redirect: z.string() }))
const offered = lazy(() => z.object({ config: z.object({ oauth2_providers: z.array(z.string()) }) }))

/** The address of a provider’s page. Errors: `badAnswer`. */
export function providerAddress(answer: unknown): string {
  const read = begun().safeParse(answer)
  if (!read.success) throw new AppError('badAnswer', { reason: 'oauth2' })
  return read.data.redirect
}

/** Starts a provider’s sign-in for a program without a browser: the provider’s page shows a code to paste (behavior C-27). */
export const beginProvider = (provider: string, purpose: 'signIn' | 'bind'): Call => ({
  method: 'GET',
  path: `oauth2/${encodeURIComponent(provider)}`,
  query: { type: purpose === 'signIn' ? 1 : 2, paste: 1 },
})

export async function offeredProviders(api: ApiPort): Promise<readonly string[]> {
  const read = offered().safeParse(await api.send({ method: 'GET', path: 'setting' }))
  return read.success ? read.data.config.oauth2_providers : []
}

async function firstProvider({ api }: ActionContext): Promise<{ provider?: string }> {
  const [provider] = await offeredProviders(api)
  return provider === undefined ? {} : { provider }
}

const provider = {
  input: () => z.strictObject({ provider: z.string().trim().min(1).max(64) }),
  fields: { provider: { kind: 'text', wide: true } },
  form: { provider: ['provider'] },
  word: 'provider',
  load: firstProvider,
} as const

const turningOff = { on: 'none', scope: null, icon: 'ban', tone: 'bad', confirm: 'ask', stepUp: true } as const

const bind = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'link',
  stepUp: true,
  capability: 'sign-in-providers',
  aliases: ['oauth2', 'connect account', 'link account', 'sso'],
  args: provider,
  async run({ api, takesCode }, _rows, args) {
    const query = { type: 2, ...(takesCode && { paste: 1 }) }
    const call = { method: 'GET', path: `oauth2/${encodeURIComponent(args.provider)}`, query } as const
    return { kind: 'visit', url: providerAddress(await api.send(call)) }
  },
})

const unbind = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'undo-2',
  tone: 'bad',
  confirm: 'ask',
  capability: 'sign-in-providers',
  aliases: ['oauth2', 'disconnect account', 'unlink account'],
  blocked: [{ when: { bound: { empty: true } }, reason: 'notBound' }],
  refusals: ['lastWay'],
  args: provider,
  async run({ api }, _rows, args) {
    await api.send({ method: 'POST', path: `oauth2/${encodeURIComponent(args.provider)}/unbind` })
    return { kind: 'done', changed: [0] }
  },
})

const passwordOff = defineAction<AnyRow>()({
  ...turningOff,
  capability: 'sign-in-providers',
  aliases: ['reject password', 'providers only', 'passwordless'],
  blocked: [
    { when: { rejects_password: { is: true } }, reason: 'passwordOff' },
    { when: { bound: { empty: true } }, reason: 'lastWay' },
  ],
  wire: { method: 'POST', path: 'profile/password-off', body: () => ({}) },
})

const passwordOn = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'key',
  confirm: 'ask',
  stepUp: true,
  capability: 'sign-in-providers',
  aliases: ['allow password', 'password again'],
  blocked: [{ when: { rejects_password: { not: true } }, reason: 'passwordOn' }],
  wire: { method: 'POST', path: 'profile/password-on', body: () => ({}) },
})

const wayActions = { bind, unbind, 'password-off': passwordOff, 'password-on': passwordOn }

const totpKey = lazy(() => z.object({ uri: z.string(), key: z.string() }))
const recoveryAnswer = lazy(() => z.object({ recovery_codes: z.array(z.string()) }))

/** Shown only once; a dry run has none. */
function recoveryCodes(answer: unknown): Outcome {
  const read = recoveryAnswer().safeParse(answer)
  if (!read.success) return { kind: 'done' }
  return { kind: 'secret', resource: 'account', of: 'recovery_codes', text: read.data.recovery_codes.join('\n') }
}

const inGroups = (text: string) => text.replace(/.{4}(?=.)/g, '$& ')

const turnOn = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'key',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['2fa', 'totp', 'authenticator', 'one-time code', 'mfa'],
  blocked: [{ when: { totp: { is: true } }, reason: 'totpOn' }],
  refusals: ['totpLate'],
  args: {
    input: () =>
      z.strictObject({ uri: z.string().max(2048), key: z.string().max(256), code: z.string().trim().min(1).max(16) }),
    fields: {
      uri: { kind: 'text', hidden: true },
      key: { kind: 'text', hidden: true },
      code: { kind: 'text', wide: true, help: true },
    },
    form: { prove: ['code'] },
    async load({ api }) {
      const read = totpKey().safeParse(await api.send({ method: 'GET', path: 'profile/totp' }))
      if (!read.success) throw new AppError('badAnswer', { reason: 'totp' })
      return read.data
    },
    scan: ({ uri }) => String(uri),
    preview: (values) => (values.key === '' ? [] : [inGroups(String(values.key))]),
  },
  wire: { method: 'POST', path: 'profile/totp', body: (_rows, { code }) => ({ code }) },
  outcome: recoveryCodes,
})

const ifTotpOff = [{ when: { totp: { not: true } }, reason: 'totpOff' }]

const turnOff = defineAction<AnyRow>()({
  ...turningOff,
  capability: 'second-factor',
  aliases: ['disable 2fa', 'turn off totp', 'remove authenticator'],
  blocked: ifTotpOff,
  wire: { method: 'POST', path: 'profile/totp/off', body: () => ({}) },
  outcome: () => ({ kind: 'done' }),
})

const renewCodes = defineAction<AnyRow>()({
  on: 'none',
  scope: null,
  icon: 'refresh-cw',
  confirm: 'ask',
  stepUp: true,
  capability: 'second-factor',
  aliases: ['backup codes', 'new recovery codes', 'lost phone'],
  blocked: ifTotpOff,
  wire: { method: 'POST', path: 'profile/totp/recovery-codes', body: () => ({}) },
  outcome: recoveryCodes,
})

const secondFactorActions = { totp: turnOn, 'totp-off': turnOff, 'recovery-codes': renewCodes }

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
