import type { IncomingMessage } from 'node:http'
import type { Caller } from '../kernel/caller.ts'
import type { ClientAddresses } from '../kernel/net/client-address.ts'
import { peerOf, type Unauthenticated } from '../kernel/net/unauthenticated.ts'
import { tokenPrefix } from '../store/records/api-tokens.ts'
import type { ConsoleNames } from '../store/records/console-names.ts'
import { sessionCookieOf } from './cookies.ts'
import type { Sessions } from './sessions.ts'
import { type Called, ignoresTokens, type TokenGate } from './tokens.ts'

/** Identifies the caller of a request. */
export interface Gate {
  /**
   * From `Authorization` or the cookie; a guest if neither is good. A token in the query string is never looked at. `called` is the route of the
   * API that is called, as some take no API tokens.
   * Errors: `badToken` for an API token that is not good.
   */
  identify(request: IncomingMessage, called?: Called): Promise<Caller>
  /** True for somebody who signed in, by the cookie or token of the sign-in; API tokens do not count. */
  isSignedIn(request: IncomingMessage): Promise<boolean>
  /** Whose session or API token a request shows, by which requests take turns; null without one that is good. It counts as no use of it. */
  userOf(request: IncomingMessage): number | null
  sameOrigin(request: IncomingMessage): boolean
}

/** Finds out who calls, from `Authorization` first and the cookie second; a bad one of the first is not made up for by the second. */
export function createGate(
  sessions: Pick<Sessions, 'identify' | 'userOf'>,
  tokens: TokenGate,
  clients: Pick<ClientAddresses, 'of' | 'with'>,
): Gate {
  async function signInOf(request: IncomingMessage) {
    const token = bearerOf(request) ?? sessionCookieOf(request)
    return token === null || hasQueryToken(request) ? null : sessions.identify(token, clients.of(request))
  }
  return {
    async identify(request, called) {
      const bearer = bearerOf(request)
      if (bearer?.startsWith(tokenPrefix) && !hasQueryToken(request)) {
        return called && ignoresTokens(called)
          ? callerOf(clients.of(request), null)
          : tokens.identify(bearer, clients.of(request))
      }
      const caller = callerOf(clients.of(request), await signInOf(request))
      return { ...caller, addressWith: (header) => clients.with(header, request) }
    },
    isSignedIn: async (request) => (await signInOf(request)) !== null,
    userOf(request) {
      const text = bearerOf(request) ?? sessionCookieOf(request)
      if (text === null) return null
      if (text.startsWith(tokenPrefix)) return tokens.ownerOf(text)
      return sessions.userOf(text)
    },
    sameOrigin,
  }
}

/** False if an `Origin` header names another host than `Host`, or is `null` (behaviours S-17, S-20). */
export function sameOrigin({ headers: { origin, host } }: Pick<IncomingMessage, 'headers'>): boolean {
  if (origin === undefined) return true
  try {
    return host !== undefined && new URL(origin).host.toLowerCase() === new URL(`http://${host}`).host.toLowerCase()
  } catch {
    return false
  }
}

/** The same gate, which also reports each connection whose caller it identified, and the name under which a session is used. */
export function reportingGate(
  { identify, ...gate }: Gate,
  { authenticated }: Pick<Unauthenticated, 'authenticated'>,
  { seen }: Pick<ConsoleNames, 'seen'>,
): Gate {
  return {
    ...gate,
    async identify(request, called) {
      const caller = await identify(request, called)
      const { host } = request.headers
      const { id, role } = caller.viewer
      if (id !== null) authenticated(peerOf(request.socket))
      if (id !== null && caller.session !== null) seen(host, { id, role })
      return host === undefined ? caller : { ...caller, host }
    },
  }
}

function callerOf(address: string, found: Awaited<ReturnType<Sessions['identify']>>): Caller {
  if (!found) return { viewer: { id: null, username: '', role: 1, scopes: null }, session: null, address }
  const { id, username, role } = found.user
  return { viewer: { id, username, role, scopes: null }, session: found.session, address }
}

/** The token of an `Authorization: Bearer` header, as it came; null without one. The word's case counts (contract http-api 2.1). */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : null
}

/** True if somebody put a token into the address, where logs and histories keep it: refused everywhere (S-09). */
export function hasQueryToken({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return Boolean(new URLSearchParams(url.split('?')[1] ?? '').get('token'))
}
