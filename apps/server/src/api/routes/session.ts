import { AppError } from '@qd/core/errors'
import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { type Csrf, clearedCookies, ticketCookies } from '../../access/cookies.ts'
import { type Firewall, signIns } from '../../access/firewall.ts'
import { bearerOf } from '../../access/gate.ts'
import type { Limits } from '../../access/limits.ts'
import { isWrongCode, type SecondFactor } from '../../access/second-factor.ts'
import type { Sessions } from '../../access/sessions.ts'
import type { Sockets } from '../../access/sockets.ts'
import type { Ticket } from '../../kernel/caller.ts'
import type { ClientAddresses } from '../../kernel/net/client-address.ts'
import type { Audit } from '../../store/records/audit.ts'
import type { Bindings } from '../../store/records/bindings.ts'
import type { ConsoleNames } from '../../store/records/console-names.ts'
import { checkPassword } from '../../store/records/passwords.ts'
import type { Accounts, UserRow } from '../../store/records/rows.ts'
import type { Container } from '../container.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { type HttpContext, type HttpEnv, isJson, readBody } from '../http/request.ts'
import type { Routes } from './openapi.ts'

const maxName = 256

export function createSessionRoutes(parts: {
  accounts: Accounts
  sessions: Sessions
  sockets: Sockets
  csrf: Csrf
  limits: Limits
  firewall: Firewall
  secondFactor: Pick<SecondFactor, 'check'>
  bindings: Pick<Bindings, 'waysIn'>
  audit: Audit
  clients: Pick<ClientAddresses, 'isSecure'>
  consoleNames: Pick<ConsoleNames, 'seen'>
}) {
  const { accounts, sessions, sockets, csrf, limits, firewall, secondFactor, bindings, audit, clients, consoleNames } =
    parts

  function answer(ticket: Ticket, left: number | null): Response {
    const { token, expire } = ticket
    return ok(envelope(JSON.stringify({ token, expire, ...(left !== null && { recovery_left: left }) })))
  }

  const linesOf = (context: HttpContext, ticket: Ticket) =>
    ticketCookies(ticket, { csrf, isSecure: clients.isSecure(context.env.incoming) })

  async function begin(context: HttpContext, user: UserRow, left: number | null = null) {
    const { address } = context.get('caller')
    const ticket = await sessions.begin(user, { address, client: context.req.header('User-Agent') ?? '' })
    consoleNames.seen(context.env.incoming.headers.host, user)
    audited(context, user)
    return { answer: answer(ticket, left), lines: linesOf(context, ticket) }
  }

  function audited(context: HttpContext, { id, username, role }: UserRow): void {
    const viewer = { id, username, role, scopes: null }
    audit.record({ caller: { ...context.get('caller'), viewer }, action: 'sign-in', target: username, result: 'ok' })
  }

  return {
    begin,
    async login(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      const strike = (of: number) => firewall.failed(caller.address, of, signIns.reason)
      if (!isJson(context.req.header('Content-Type'))) {
        strike(signIns.unknownUser)
        throw new AppError('wrongPassword')
      }
      const { username, password, code } = await credentialsOf(context)
      const leave = await limits.enter(caller.address, username)
      const user = accounts.byName(username)
      // Without an enabled provider, the password is valid again.
      const isClosed = user?.reject_password && bindings.waysIn(user.id).length > 0
      const usable = user && !isClosed ? user.password_hash : null
      const isRight = await checkPassword(usable, password).finally(leave)
      const refuse = (error: unknown): never => {
        limits.failed(caller.address, username)
        strike(user?.id ?? signIns.unknownUser)
        audit.record({ caller, action: 'sign-in', target: username, result: 'refused' })
        throw error
      }
      if (!isRight || !user) return refuse(new AppError('wrongPassword'))
      // A missing code is no failure.
      const left = await secondFactor
        .check(user, code)
        .catch((error: unknown) => (isWrongCode(error) ? refuse(error) : Promise.reject(error)))
      limits.succeeded(caller.address, username)
      for (const of of [signIns.unknownUser, user.id]) firewall.succeeded(caller.address, of)
      const { answer: response, lines } = await begin(context, user, left)
      for (const line of lines) response.headers.append('Set-Cookie', line)
      return response
    },
    async refresh(context: HttpContext): Promise<Response> {
      const { session } = context.get('caller')
      if (session === null) throw new AppError('unauthorized')
      const ticket = await sessions.refresh(session)
      const response = answer(ticket, null)
      for (const line of linesOf(context, ticket)) response.headers.append('Set-Cookie', line)
      return response
    },
    async logout(context: HttpContext): Promise<Response> {
      const caller = context.get('caller')
      if (caller.session === null) throw new AppError('unauthorized')
      await sessions.end(caller.session, (db) => audit.write(db, { caller, action: 'sign-out', result: 'ok' }))
      sockets.endSession(caller.session, 'signed out')
      const response = ok(envelope(null))
      const isSecure = clients.isSecure(context.env.incoming)
      for (const line of clearedCookies(isSecure)) response.headers.append('Set-Cookie', line)
      return response
    },
  }
}

/** For state-changing GETs: another site can send neither header (decisions.md, "Plain GET"). Errors: `noRoute`. */
export const ownGet: MiddlewareHandler<HttpEnv> = async (context, next) => {
  const isOwn = bearerOf(context.env.incoming) !== null || context.req.header('Sec-Fetch-Site') === 'same-origin'
  if (!isOwn) throw new AppError('noRoute')
  await next()
}

/** Reads credentials, keys in any case. An unreadable body is a failed sign-in of no account. */
async function credentialsOf(
  context: HttpContext,
): Promise<{ username: string; password: string; code: string | null }> {
  const body = await readBody(context).catch(refuseReading)
  const fields = Object.entries((body ?? {}) as object).map(([key, value]) => [key.toLowerCase(), value as unknown])
  const { username = '', password = '', code } = Object.fromEntries(fields) as Record<string, unknown>
  if (body === null || typeof username !== 'string' || typeof password !== 'string' || username.length > maxName) {
    throw new AppError('wrongPassword')
  }
  return { username, password, code: typeof code === 'string' && code !== '' ? code : null }
}

function refuseReading(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid') return null
  throw error
}

export function createKeyRoutes({
  accounts,
  secondFactor,
  stepUp,
}: Pick<Container, 'accounts' | 'secondFactor' | 'stepUp'>): Routes {
  return {
    '/profile/totp': {
      about: {
        id: 'account.totp.key',
        tag: 'account',
        summary: 'A new 2FA key, to be confirmed with its first code',
        data: z.object({ uri: z.string(), key: z.string() }),
      },
      async answer(context) {
        const caller = context.get('caller')
        const user = accounts.find(caller.viewer.id ?? 0)
        if (caller.session === null || !user) throw new AppError('unauthorized')
        stepUp.demand(caller)
        const { uri, key } = secondFactor.begin(user, caller.session)
        return ok(envelope(dataText({ uri, key })))
      },
    },
  }
}
