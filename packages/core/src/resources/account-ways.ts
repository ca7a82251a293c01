import * as z from 'zod'
import { type ActionContext, type AnyRow, type ApiPort, type Call, defineAction, lazy } from '../define/index.ts'
import { AppError } from '../errors/index.ts'

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
  on: 'none',
  scope: null,
  icon: 'ban',
  tone: 'bad',
  confirm: 'ask',
  stepUp: true,
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

export const wayActions = { bind, unbind, 'password-off': passwordOff, 'password-on': passwordOn }
