import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { cookieNames, sessionCookies } from '@qd/core/api'
import type { Ticket } from '../kernel/caller.ts'
import type { Random } from '../kernel/ports.ts'
import { sameText } from '../store/records/accounts.ts'

export function sessionCookieOf(request: IncomingMessage): string | null {
  for (const name of sessionCookies) {
    const value = cookieOf(request, name)
    if (value !== null) return value
  }
  return null
}

export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]
    if (key === name) return value || null
  }
  return null
}

function tokenCookie({ token, lasts }: Ticket, isSecure: boolean): string {
  return `${isSecure ? cookieNames.hostToken : cookieNames.token}=${token}; Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Lax${secure(isSecure)}`
}

export function csrfCookie(token: string, isSecure: boolean): string {
  return `${cookieNames.csrf}=${token}; Path=/; SameSite=Strict${secure(isSecure)}`
}

export function ticketCookies(
  ticket: Ticket,
  { csrf, isSecure }: { csrf: { issue(session: string): string }; isSecure: boolean },
): readonly string[] {
  return [tokenCookie(ticket, isSecure), csrfCookie(csrf.issue(ticket.session), isSecure)]
}

export function clearedCookies(isSecure: boolean): readonly string[] {
  const tokens = isSecure ? sessionCookies : [cookieNames.token]
  return [
    ...tokens.map((name) => `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure(isSecure)}`),
    `${cookieNames.csrf}=; Path=/; Max-Age=0; SameSite=Strict${secure(isSecure)}`,
  ]
}

const secure = (isSecure: boolean) => (isSecure ? '; Secure' : '')

/** The double-submit token of contract http-api 2.3, bound to the session. */
export type Csrf = ReturnType<typeof createCsrf>

export function createCsrf({ secret, random }: { secret: string; random: Random }) {
  const sign = (nonce: string, session: string) =>
    createHmac('sha256', secret).update(`csrf.${nonce}.${session}`).digest('hex')
  return {
    issue(session: string): string {
      const nonce = Buffer.from(random.bytes(32)).toString('hex')
      return `${nonce}.${sign(nonce, session)}`
    },
    holds(request: IncomingMessage, session: string): boolean {
      const header = request.headers['x-csrf-token']
      const cookie = cookieOf(request, cookieNames.csrf)
      if (typeof header !== 'string' || cookie === null || !sameText(header, cookie)) return false
      const [nonce = '', signature = ''] = cookie.split('.')
      return sameText(signature, sign(nonce, session))
    },
  }
}
