import type { IncomingMessage } from 'node:http'
import type { Caller } from '../kernel/caller.ts'
import type { ClientAddresses } from '../kernel/net/client-address.ts'
import { peerOf, type Unauthenticated } from '../kernel/net/unauthenticated.ts'
import { tokenPrefix } from '../store/records/api-tokens.ts'
import type { ConsoleNames } from '../store/records/console-names.ts'
import { sessionCookieOf } from './cookies.ts'
import type { Sessions } from './sessions.ts'
import { type Called, ignoresTokens, type TokenGate } from './tokens.ts'

export interface Gate {
  /** The caller by `Authorization` or cookie, else a guest. `called` decides whether API tokens count. Errors: `badToken`. */
  identify(request: IncomingMessage, called?: Called): Promise<Caller>
  isSignedIn(request: IncomingMessage): Promise<boolean>
  /** The user of a valid session or API token, for fairness between users. Doesn't count as use of the token. */
  userOf(request: IncomingMessage): number | null
  sameOrigin(request: IncomingMessage): boolean
}

/** Identifies callers by `Authorization`, then by cookie. A bad header isn't made up for by a good cookie. */
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

/** Whether `Origin`, if there is one, names the same host as `Host` (behaviours S-17, S-20). */
export function sameOrigin({ headers: { origin, host } }: Pick<IncomingMessage, 'headers'>): boolean {
  if (origin === undefined) return true
  try {
    return host !== undefined && new URL(origin).host.toLowerCase() === new URL(`http://${host}`).host.toLowerCase()
  } catch {
    return false
  }
}

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

/** The token of an `Authorization: Bearer` header; the word's case counts (contract http-api 2.1). */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : null
}

/** Whether the URL holds a token, where logs and histories would keep it: refused everywhere (S-09). */
export function hasQueryToken({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return Boolean(new URLSearchParams(url.split('?')[1] ?? '').get('token'))
}
