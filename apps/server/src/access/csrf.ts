import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Random } from '../kernel/ports.ts'
import { sameText } from '../store/records/accounts.ts'
import { cookieNames, cookieOf } from './cookies.ts'

/** The double submit of contract http-api 2.3, bound to the session. */
export interface Csrf {
  /** A fresh `nonce.signature` for a session. */
  issue(session: string): string
  /** True when header and cookie agree and were made for this session. */
  holds(request: IncomingMessage, session: string): boolean
}

/** Builds it on the key that signs sessions. */
export function createCsrf({ secret, random }: { secret: string; random: Random }): Csrf {
  const sign = (nonce: string, session: string) =>
    createHmac('sha256', secret).update(`csrf.${nonce}.${session}`).digest('hex')
  return {
    issue(session) {
      const nonce = Buffer.from(random.bytes(32)).toString('hex')
      return `${nonce}.${sign(nonce, session)}`
    },
    holds(request, session) {
      const header = request.headers['x-csrf-token']
      const cookie = cookieOf(request, cookieNames.csrf)
      if (typeof header !== 'string' || cookie === null || !sameText(header, cookie)) return false
      const [nonce = '', signature = ''] = cookie.split('.')
      return sameText(signature, sign(nonce, session))
    },
  }
}
