import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { sessionMs } from './sessions.ts'

/** Names of contract http-api 2.2. */
export const cookieNames = { token: 'nz-jwt', csrf: 'nz-csrf' } as const

/** The value of a request's cookie; null where it is missing or empty. */
export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = [part.slice(0, part.indexOf('=')).trim(), part.slice(part.indexOf('=') + 1).trim()]
    if (key === name) return value || null
  }
  return null
}

/** `Set-Cookie` of the session: not for scripts, gone after the session's life. */
export function tokenCookie(request: IncomingMessage, token: string): string {
  return `${cookieNames.token}=${token}; Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; SameSite=Lax${secure(request)}`
}

/** `Set-Cookie` of the CSRF pair's half that scripts read. */
export function csrfCookie(request: IncomingMessage, token: string): string {
  return `${cookieNames.csrf}=${token}; Path=/; SameSite=Strict${secure(request)}`
}

/** `Set-Cookie` lines that end a sign-in in the browser. */
export function clearedCookies(request: IncomingMessage): readonly string[] {
  return [
    `${cookieNames.token}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure(request)}`,
    `${cookieNames.csrf}=; Path=/; Max-Age=0; SameSite=Strict${secure(request)}`,
  ]
}

const secure = ({ socket }: IncomingMessage) => ((socket as Partial<TLSSocket>).encrypted ? '; Secure' : '')
