import type { IncomingMessage } from 'node:http'
import { tokenPrefix } from '../resources/api-tokens.ts'
import type { Caller, Gate } from '../services.ts'
import { cookieNames, cookieOf } from './cookies.ts'
import type { Sessions } from './sessions.ts'
import { ignoresTokens, type TokenGate } from './tokens.ts'

/** Finds out who calls, from `Authorization` first and the cookie second; a bad one of the first is not made up for by the second. */
export function createGate(sessions: Pick<Sessions, 'identify'>, tokens: TokenGate): Gate {
  return {
    async identify(request) {
      const bearer = bearerOf(request)
      if (bearer?.startsWith(tokenPrefix) && !hasQueryToken(request)) {
        return ignoresTokens(request) ? callerOf(request, null) : tokens.identify(bearer, addressOf(request))
      }
      const token = bearer ?? cookieOf(request, cookieNames.token)
      const found = token === null || hasQueryToken(request) ? null : await sessions.identify(token)
      return callerOf(request, found)
    },
    sameOrigin({ headers: { origin, host } }) {
      if (origin === undefined) return true
      try {
        return host !== undefined && new URL(origin).host.toLowerCase() === new URL(`http://${host}`).host.toLowerCase()
      } catch {
        return false
      }
    },
  }
}

function callerOf(request: IncomingMessage, found: Awaited<ReturnType<Sessions['identify']>>): Caller {
  const address = addressOf(request)
  if (!found) return { viewer: { id: null, username: '', role: 1, scopes: null }, session: null, address }
  const { id, username, role } = found.user
  return { viewer: { id, username, role, scopes: null }, session: found.session, address }
}

/** The token of an `Authorization: Bearer` header, as it came; null without one. The word's case counts (contract http-api 2.1). */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : null
}

/** True where somebody put a token into the address, where logs and histories keep it: refused everywhere (S-09). */
export function hasQueryToken({ url = '' }: IncomingMessage): boolean {
  return Boolean(new URLSearchParams(url.split('?')[1] ?? '').get('token'))
}

/** The direct peer, which nobody can forge; IPv4 without the mapping. */
export function addressOf({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
}
