import { cookieNames } from '@qd/core/api'
import { AppError, toAppError } from '@qd/core/errors'
import { Hono } from 'hono'
import type { H } from 'hono/types'
import type { Logger } from 'pino'
import * as z from 'zod'
import { type Csrf, cookieOf, csrfCookie, ticketCookies } from '../../access/cookies.ts'
import { type Gate, hasQueryToken } from '../../access/gate.ts'
import type { StepUp } from '../../access/step-up.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { ClientAddresses } from '../../kernel/net/client-address.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import type { Random } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import type { Audit } from '../../store/records/audit.ts'
import { randomText } from '../../store/records/secrets.ts'
import type { Settings } from '../../store/records/settings.ts'
import type { Health } from '../health.ts'
import { createAnswerCache, dataText, envelope, failure, healthAnswer, ok } from '../http/answer.ts'
import { type HttpContext, type HttpEnv, readBody } from '../http/request.ts'
import type { ResourceStore } from '../resources/store.ts'
import type { createFileRoutes } from './files.ts'
import type { AskApi } from './first-answers.ts'
import { mcpMethods } from './mcp.ts'
import type { createOAuth2Routes } from './oauth2.ts'
import { type Described, openApi, type Routes } from './openapi.ts'
import { addResourceRoutes, refuseTokens } from './resources.ts'
import { type createSessionRoutes, ownGet } from './session.ts'

const keptAnswers = 24

export interface AppParts {
  log: Logger
  random: Random
  settings: Settings
  gate: Gate
  csrf: Csrf
  audit: Audit
  clients: Pick<ClientAddresses, 'isSecure'>
  stores: readonly ResourceStore[]
  reads: Routes
  files: ReturnType<typeof createFileRoutes>
  hostActions: Routes
  metrics(context: HttpContext): Promise<Response>
  mcp(context: HttpContext): Promise<Response>
  /** One-time file URLs, below `/mcp`. */
  fileLinks: Hono<HttpEnv>
  downloads: Hono<HttpEnv>
  sessionRoutes: ReturnType<typeof createSessionRoutes>
  oauth2Routes: ReturnType<typeof createOAuth2Routes>
  stepUp: StepUp
  about: { name: string; version: string; capabilities: readonly string[] }
  health: Health
  page(context: HttpContext, ask: AskApi): Promise<Response>
}

/** Nezha clients also use GET. */
const asGet = (about: Described): Described => ({ ...about, id: `${about.id}.get`, isOld: true })

const isUnsafe = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method)

export function createApp(parts: AppParts): Hono<HttpEnv> {
  const { log, random, settings, gate, csrf, clients, stores, sessionRoutes, oauth2Routes, stepUp, about } = parts
  const app = new Hono<HttpEnv>()
  const api = new Hono<HttpEnv>()
  const noRoute = () => new AppError('noRoute')
  const realm = () => settings.get().site_name

  /** Paths whose GET sets a missing CSRF cookie (contract http-api 2.3). */
  const seeding = new Set(
    stores
      .filter(({ resource }) => resource.audience.read !== 'guest')
      .map(({ resource }) => resource.wire.calls.list.path),
  )
  const seeds = (path: string) => {
    const [first = '', second = ''] = path.split('/').slice(3)
    return seeding.has(first) || seeding.has(`${first}/${second}`)
  }

  api.use(async (context, next) => {
    const { method } = context.req
    const { incoming } = context.env
    if (method === 'HEAD' || method === 'OPTIONS') throw noRoute()
    const caller = await gate.identify(incoming, context.req)
    context.set('caller', caller)
    if (hasQueryToken(context.req)) throw new AppError('unauthorized')
    if (isUnsafe(method) && !caller.token && isRoute(context) && !isOpen(context)) {
      if (caller.session === null) throw new AppError('unauthorized')
      if (!gate.sameOrigin(incoming)) throw new AppError('csrf', { text: texts.origin })
      if (!csrf.holds(incoming, caller.session)) throw new AppError('csrf')
    }
    await next()
    if (caller.renewed) {
      for (const line of ticketCookies(caller.renewed, { csrf, isSecure: clients.isSecure(incoming) }))
        context.header('Set-Cookie', line, { append: true })
    }
    const seed = method === 'GET' && caller.session !== null && seeds(context.req.path)
    if (seed && cookieOf(incoming, cookieNames.csrf) === null) {
      const cookie = csrfCookie(csrf.issue(caller.session as string), clients.isSecure(incoming))
      context.header('Set-Cookie', cookie, { append: true })
    }
  })
  const others = new Map<string, Described>()
  const add = (method: string, path: string, about: Described, ...handlers: H<HttpEnv>[]) => {
    others.set(`${method} ${path}`, about)
    api.on(method, [path], ...handlers)
  }
  const tag = 'session'
  const credentials = { password: z.string(), code: z.string().optional() }
  add(
    'POST',
    '/login',
    {
      id: 'session.login',
      tag,
      summary: 'Sign in; sets the cookies',
      body: z.object({ username: z.string(), ...credentials }),
    },
    sessionRoutes.login,
  )
  const refresh = { id: 'session.refresh', tag, summary: 'Extend the session' }
  add('POST', '/refresh-token', refresh, refuseTokens, sessionRoutes.refresh)
  add('GET', '/refresh-token', asGet(refresh), refuseTokens, ownGet, sessionRoutes.refresh)
  add('POST', '/logout', { id: 'session.logout', tag, summary: 'Sign out' }, refuseTokens, sessionRoutes.logout)
  add(
    'GET',
    '/oauth2/callback',
    { id: 'oauth2.callback', tag, summary: 'Callback of sign-in providers' },
    oauth2Routes.callback,
  )
  add(
    'POST',
    '/oauth2/claim',
    {
      id: 'oauth2.claim',
      tag,
      summary: 'Complete a provider sign-in with the text that its page showed, or with the two-factor code',
      body: z.object({ paste: z.string(), code: z.string() }).partial(),
    },
    refuseTokens,
    oauth2Routes.claim,
  )
  add(
    'GET',
    '/oauth2/:provider',
    {
      id: 'oauth2.begin',
      tag,
      summary: 'Where a sign-in provider is; type 2 binds it to who is signed in',
      data: z.object({ redirect: z.string() }),
    },
    refuseTokens,
    oauth2Routes.begin,
  )
  add(
    'POST',
    '/oauth2/:provider/unbind',
    { id: 'oauth2.unbind', tag, summary: 'Unbind a sign-in provider' },
    refuseTokens,
    oauth2Routes.unbind,
  )
  add(
    'POST',
    '/step-up',
    { id: 'session.step-up', tag, summary: 'Confirm the password', body: z.object(credentials) },
    refuseTokens,
    async (context) => {
      const proof = async () => {
        const { password, code } = ((await readBody(context)) ?? {}) as { password?: unknown; code?: unknown }
        return { password: String(password), code: typeof code === 'string' ? code : null }
      }
      const left = await stepUp.prove(context.get('caller'), proof)
      return ok(envelope(left === null ? null : JSON.stringify({ recovery_left: left })))
    },
  )
  const data = z.object({ capabilities: z.array(z.string()) })
  add(
    'GET',
    '/capabilities',
    { id: 'capabilities', tag, summary: 'Optional features of this server', data },
    (context) => {
      const { incoming } = context.env
      // Lets the console detect what a proxy changes.
      const seen = { host: incoming.headers.host ?? '', secure: clients.isSecure(incoming) }
      return ok(envelope(dataText({ ...about, ...tokenOf(context.get('caller')), seen })))
    },
  )
  for (const [path, read] of Object.entries(parts.reads)) add('GET', path, read.about, read.answer)
  for (const [path, call] of Object.entries({ ...parts.files, ...parts.hostActions }))
    add('POST', path, call.about, call.answer)
  const { '/file': openFile } = parts.files
  add('GET', '/file', asGet(openFile.about), ownGet, openFile.answer)
  addResourceRoutes(api, stores, { cache: createAnswerCache(keptAnswers), audit: parts.audit, stepUp })
  let document: Promise<string> | undefined
  add('GET', '/openapi.json', { id: 'openapi', tag, summary: 'This document' }, async () => {
    document ??= openApi(routes, { ...about, others, resources: stores.map(({ resource }) => resource) }).then(
      JSON.stringify,
    )
    return ok(await document)
  })

  const routes = api.routes.filter(({ method }) => method !== 'ALL')
  const known = routes.map(({ method, path }) => ({
    method,
    path: new RegExp(`^/api/v1${path.replace(/:\w+/g, '[^/]+')}$`),
  }))
  const matches = (method: string, path: string) =>
    known.some((route) => route.method === method && route.path.test(path))
  const isRoute = (context: HttpContext) => matches(context.req.method, context.req.path)
  const isOpen = (context: HttpContext) => ['/api/v1/login', '/api/v1/oauth2/claim'].includes(context.req.path)

  app.use(async (context, next) => {
    context.set('requestId', randomText(random, 8))
    await next()
  })
  app.get('/healthz', async () => {
    const problems = await parts.health.problems()
    return healthAnswer(problems.length === 0 ? null : problems.join('; '))
  })
  app.get('/readyz', () => healthAnswer(parts.health.isReady() ? null : 'this server does not hold the database'))
  app.get('/metrics', (context) => parts.metrics(context))
  app.post('/mcp', (context) => parts.mcp(context))
  app.on(['GET', 'DELETE'], '/mcp', mcpMethods)
  app.route('/mcp', parts.fileLinks)
  app.use('/api/*', async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(apiHeaders)) context.header(name, value)
  })
  app.route('/api/v1', api)
  app.route('/', parts.downloads)
  app.notFound((context) => {
    const { path, method } = context.req
    if (!path.startsWith('/api')) return parts.page(context, askApi(context))
    const shorter = path.replace(/\/$/, '')
    if (shorter !== path && matches(method, shorter)) return redirect(shorter, method)
    return failure(noRoute(), { realm: realm() })
  })
  app.onError((thrown, context) => {
    const error = toAppError(thrown)
    const request = context.get('requestId')
    if (error.code === 'internal')
      log.error({ err: error.cause ?? error, request, path: logPath(context.req.path) }, 'request failed')
    if (error.code === 'forbidden' || error.code === 'tokenForbidden') {
      parts.audit.record({
        caller: context.get('caller'),
        action: `${context.req.method} ${logPath(context.req.path)}`,
        result: 'refused',
      })
    }
    const response = failure(error, {
      realm: realm(),
      ...(error.code === 'internal' && { more: `request ${request}` }),
    })
    for (const [name, value] of Object.entries(apiHeaders)) response.headers.set(name, value)
    return response
  })
  return app

  function askApi(context: HttpContext): AskApi {
    return async (path) => app.request(`/api/v1/${path}`, {}, context.env)
  }

  /** As Nezha answers (contract http-api 1.3). */
  function redirect(to: string, method: string): Response {
    if (method !== 'GET') return new Response(null, { status: 307, headers: { Location: to } })
    const body = `<a href="${to}">Moved Permanently</a>.\n\n`
    return new Response(body, { status: 301, headers: { Location: to, 'Content-Type': 'text/html; charset=utf-8' } })
  }
}

/** An API token can't read the profile. */
function tokenOf({ viewer, token }: Caller) {
  if (!token) return {}
  const { username, role, scopes, servers } = viewer
  return { token: { name: token.name, username, role, scopes, ...(servers && { server_ids: servers }) } }
}

/** Hides stream IDs, which are secrets. */
export function logPath(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\/ws\/\w+\/.+/gi, '***')
}
