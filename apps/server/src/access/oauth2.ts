import { AppError, toAppError } from '@qd/core/errors'
import type { Caller } from '../kernel/caller.ts'
import type { Clock, Random } from '../kernel/ports.ts'
import { sameText, sha256 } from '../store/records/accounts.ts'
import type { Binding, Bindings } from '../store/records/bindings.ts'
import type { Also } from '../store/records/commit.ts'
import type { Accounts, SignInProviderRow, UserRow } from '../store/records/rows.ts'
import { randomText } from '../store/records/secrets.ts'
import type { Firewall } from './firewall.ts'
import type { Providers, Secrets } from './providers.ts'
import type { SecondFactor } from './second-factor.ts'

const lifeMs = 10 * 60_000
const most = { perAddress: 20, all: 2000 }
const maxTries = 5
const strikes = { identifier: -126, reason: 5 }

/** `paste`: the flow ends in another browser, which shows a text to paste back (behaviour C-27). */
export interface Begin {
  provider: SignInProviderRow
  mode: 'sign-in' | 'bind'
  paste: boolean
  caller: Caller
}

/** How the callback ended. `code`: `claim` with a two-factor code follows; `paste`: the text to paste back. */
export type Finished =
  | { kind: 'signed-in'; user: UserRow }
  | { kind: 'bound' }
  | { kind: 'code' }
  | { kind: 'paste'; text: string }

/** Sign-in with a provider: one-time state bound to the browser, PKCE, redirect from the configuration only (behaviour S-46). */
export type OAuth2 = ReturnType<typeof createOAuth2>

interface Way extends Begin {
  browser: string
  secrets: Secrets
  at: number
}

interface Claim {
  user: UserRow
  mode: Begin['mode']
  provider: SignInProviderRow
  openId: string
  session: string | null
  paste: string | null
  tries: number
  at: number
}

/** Open flows are in memory: a restart ends them. `bound` runs in the transaction that binds an account. */
export function createOAuth2(parts: {
  accounts: Accounts
  bindings: Bindings
  providers: Providers
  secondFactor: Pick<SecondFactor, 'check'>
  firewall: Pick<Firewall, 'failed'>
  clock: Clock
  random: Random
}) {
  const { accounts, bindings, providers, secondFactor, firewall, clock, random } = parts
  const ways = new Map<string, Way>()
  const claims = new Map<string, Claim>()

  const isOld = ({ at }: { at: number }) => Math.abs(clock.now() - at) > lifeMs
  function makeRoom(address: string): void {
    const own = [...ways].filter(([, way]) => way.caller.address === address)
    const over = [
      ...(own.length >= most.perAddress ? own.slice(0, 1) : []),
      ...[...ways].filter(([, way]) => isOld(way)),
    ]
    for (const [state] of over) ways.delete(state)
    if (ways.size >= most.all) ways.delete(ways.keys().next().value as string)
    for (const [key, claim] of claims) if (isOld(claim)) claims.delete(key)
  }

  function take(state: string, browser: string | null): Way {
    const way = ways.get(state)
    ways.delete(state)
    const isHere = way && (way.paste || (browser !== null && sameText(way.browser, browser)))
    if (!way || isOld(way) || !isHere) throw new AppError('oauthState')
    return way
  }

  async function bind(
    { user, provider, openId }: Pick<Claim, 'user' | 'provider' | 'openId'>,
    also?: Also<Binding>,
  ): Promise<void> {
    const owner = bindings.ownerOf(provider.id, openId)
    if (owner !== null && owner !== user.id) throw new AppError('oauthBoundElsewhere', { provider: provider.name })
    if (owner === null) await bindings.bind({ user_id: user.id, provider_id: provider.id, open_id: openId }, also)
  }

  function userOf({ mode, provider, caller }: Way, openId: string): UserRow {
    const id = mode === 'bind' ? caller.viewer.id : bindings.ownerOf(provider.id, openId)
    const user = id === null ? undefined : accounts.find(id)
    if (!user) throw new AppError('oauthNotBound', { provider: provider.name })
    return user
  }

  async function finishWay(
    way: Way,
    query: URLSearchParams,
    { caller, bound }: { caller: Caller; bound?: Also<Binding> | undefined },
  ): Promise<Finished> {
    const { mode, provider, secrets, paste } = way
    if (mode === 'bind' && !paste && way.caller.session !== caller.session) throw new AppError('oauthState')
    const openId = await providers.identify(provider, { query, state: query.get('state') ?? '', secrets })
    const user = userOf(way, openId)
    const left = { user, mode, provider, openId, session: way.caller.session, tries: 0, at: clock.now() }
    if (paste) {
      const text = randomText(random, 12)
      claims.set(way.browser, { ...left, paste: text })
      return { kind: 'paste', text }
    }
    if (mode === 'bind') {
      await bind(left, bound)
      return { kind: 'bound' }
    }
    if (user.totp_secret === '') return { kind: 'signed-in', user }
    claims.set(way.browser, { ...left, paste: null })
    return { kind: 'code' }
  }

  return {
    async begin(from: Begin): Promise<{ redirect: string; browser: string }> {
      const state = randomText(random, 32)
      const { redirect, secrets } = await providers.addressOf(from.provider, state)
      makeRoom(from.caller.address)
      const browser = randomText(random, 32)
      ways.set(state, { ...from, browser, secrets, at: clock.now() })
      return { redirect, browser }
    },
    /** Errors: `oauthState`, `oauthRefused`, `oauthProvider`, `oauthNotBound`, `oauthBoundElsewhere`, each with the flow's `mode`. */
    async finish(
      query: URLSearchParams,
      browser: string | null,
      caller: Caller,
      bound?: Also<Binding>,
    ): Promise<Finished> {
      const way = take(query.get('state') ?? '', browser)
      try {
        return await finishWay(way, query, { caller, bound })
      } catch (thrown) {
        const error = toAppError(thrown)
        // Canceling at the provider is no attempt, and a provider that is down no attack.
        const isForged = error.code === 'oauthRefused' && error.params.reason !== 'access_denied'
        const isEmpty = error.code === 'oauthProvider' && !query.get('code')
        if (isForged || isEmpty) firewall.failed(caller.address, strikes.identifier, strikes.reason)
        throw new AppError(error.code, { ...error.params, mode: way.mode }, { cause: error })
      }
    },
    /** Ends a flow with its pasted text or two-factor code. Errors: `oauthState`, `oauthBoundElsewhere`, those of a code. */
    async claim(
      { paste, code, browser }: { paste: string | null; code: string | null; browser: string | null },
      caller: Caller,
      bound?: Also<Binding>,
    ): Promise<{ user: UserRow; mode: Begin['mode']; recoveryLeft: number | null }> {
      const claim = browser === null ? undefined : claims.get(browser)
      const isHere = claim && !isOld(claim) && (claim.mode === 'sign-in' || claim.session === caller.session)
      if (!claim || !isHere) throw new AppError('oauthState')
      claim.tries += 1
      if (claim.tries > maxTries) claims.delete(browser as string)
      if (claim.paste !== null && !sameText(sha256(claim.paste), sha256((paste ?? '').trim()))) {
        firewall.failed(caller.address, strikes.identifier, strikes.reason)
        throw new AppError('wrongCode')
      }
      const user = accounts.find(claim.user.id)
      if (!user) throw new AppError('oauthState')
      const recoveryLeft = claim.mode === 'sign-in' ? await secondFactor.check(user, code) : null
      claims.delete(browser as string)
      if (claim.mode === 'bind') await bind(claim, bound)
      return { user, mode: claim.mode, recoveryLeft }
    },
  }
}
