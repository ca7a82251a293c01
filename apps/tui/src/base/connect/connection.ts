import { maskSecrets } from '@qd/core/actions'
import {
  type Client,
  type ClientOptions,
  createClient,
  createCookieJar,
  type Fetch,
  type Lifetime,
  type SignedIn,
  type SignedOut,
  sessionCookies,
} from '@qd/core/api'
import { lazy, type Viewer } from '@qd/core/define'
import { AppError, toAppError } from '@qd/core/errors'
import * as z from 'zod'
import type { Io } from '../io.ts'
import { createSessionFile } from './session-file.ts'
import type { Settings } from './settings.ts'
import { createFetch } from './transport.ts'

/** `status` is null while it isn’t answered, and if it wasn’t. */
export interface MadeCall {
  readonly at: number
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly ms: number | null
}

/** Of calls that only read; all others are kept, for what an interrupted program says. */
const maxCalls = 500

export interface Connection {
  readonly client: Client
  readonly settings: Settings
  calls(): readonly MadeCall[]
  /** The initial sign-in: an API token or a saved session; null for neither. */
  readonly signInKind: 'token' | 'session' | null
  /** Epoch ms by the server's clock, estimated from its answers. */
  now(): number
  /** The signed-in user. An API token may not be allowed to ask; then the server decides. */
  viewer(): Promise<Who>
  signIn(user: string, password: string, code?: string): Promise<SignedIn>
  /** Claims the code that a provider’s page showed, and saves the session. */
  claim(paste: string | null, code?: string): Promise<Who & SignedIn>
  rename(user: string): void
  signOut(): Promise<SignedOut>
  close(): Promise<void>
}

const profile = lazy(() => z.object({ id: z.int().catch(0), username: z.string().catch(''), role: z.int().catch(0) }))

/** What our server says about an API token; others say nothing. */
const tokenAnswer = lazy(() =>
  z.object({
    token: z
      .object({
        name: z.string(),
        username: z.string(),
        role: z.int(),
        scopes: z.array(z.string()),
        server_ids: z.array(z.int()).optional(),
      })
      .nullable()
      .catch(null),
  }),
)

export interface Who extends Viewer {
  token?: string
}

export interface ConnectOptions {
  trace?(line: string): void
  onSessionEnd?(): Promise<boolean>
  /** Asks for the password before sensitive calls; null: no terminal. */
  askPassword?(): Promise<string | null>
  askCode?(): Promise<string | null>
  /** A recovery code was used; `left` remain. */
  onRecoveryLeft?(left: number): void
  /** Alternative for a question that stays until the password is accepted. */
  onStepUp?: ClientOptions['onStepUp']
  onNotKept?(folder: string): void
}

/**
 * Connects by the settings. Uses a saved session first, else QD_USER and QD_PASSWORD. A session that ends is renewed
 * once: from another `qd`’s file, else by the same two, else by `onSessionEnd` (behaviours C-27, T-30).
 */
export async function connect(io: Io, settings: Settings, options: ConnectOptions = {}): Promise<Connection> {
  const { url, token, password, timeoutMs, retries, paths } = settings
  const account = { folder: paths.sessions, url, platform: io.platform }
  let file = createSessionFile({ ...account, user: settings.user ?? '' })
  const kept = token === null ? file.read() : null
  const jar = createCookieJar(kept?.cookies)
  let lifetime: Lifetime | null = kept?.lifetime ?? null
  const wire = watched(io, options.trace)

  const state = () => JSON.stringify({ url, cookies: jar.export(), lifetime })
  let known = kept ? JSON.stringify(kept) : ''
  const keep = () => {
    if (token !== null || state() === known) return
    known = state()
    if (sessionCookies.every((name) => jar.get(name) === null)) return
    try {
      file.write({ url, cookies: jar.export(), lifetime })
    } catch {
      options.onNotKept?.(paths.sessions)
    }
  }

  /** Adds the given code, or asks for one, if needed. */
  const withCode = async (send: (code?: string) => Promise<SignedIn>, given?: string): Promise<SignedIn> => {
    const signedIn = await send(given).catch(async (thrown: unknown) => {
      const asked = toAppError(thrown).code === 'codeRequired' ? ((await options.askCode?.()) ?? null) : null
      if (asked === null) throw thrown
      return send(asked)
    })
    if (signedIn.recoveryLeft !== null) options.onRecoveryLeft?.(signedIn.recoveryLeft)
    return signedIn
  }
  const logIn = (user: string, secret: string, code?: string) =>
    withCode((one) => client.login(user, secret, one), code)

  const client = createClient({
    ports: { ...io, fetch: wire.fetch },
    baseUrl: url,
    credentials: token === null ? { kind: 'jar', jar } : { kind: 'token', token },
    lifetime,
    onLifetime(next) {
      lifetime = next
      if (next) keep()
    },
    async onSessionEnd() {
      const newer = file.read()
      if (newer && JSON.stringify(newer) !== known) {
        known = JSON.stringify(newer)
        jar.store(Object.entries(newer.cookies).map(([name, value]) => `${name}=${value}`))
        lifetime = newer.lifetime
        return true
      }
      if (token !== null) return false
      if (settings.user !== null && password !== null) {
        try {
          await logIn(settings.user, password)
          return true
        } catch (thrown) {
          if (!options.onSessionEnd || toAppError(thrown).code !== 'wrongPassword') throw thrown
        }
      }
      return (await options.onSessionEnd?.()) ?? false
    },
    async onStepUp(prove) {
      if (password === null && options.onStepUp) return options.onStepUp(prove)
      const given = password ?? (await options.askPassword?.()) ?? null
      if (given === null) throw new AppError('stepUpRequired')
      await withCode((code) => prove(given, code))
      return true
    },
    timeoutMs,
    retries,
  })

  const whoIs = async (): Promise<Who> => ({
    ...profile().parse(await client.send({ method: 'GET', path: 'profile' })),
    scopes: null,
  })
  if (token === null && kept === null && settings.user !== null && password !== null)
    await logIn(settings.user, password)
  return {
    client,
    settings,
    calls: wire.calls,
    signInKind: token !== null ? 'token' : kept !== null ? 'session' : null,
    now: () => io.now() + wire.clock.aheadMs,
    viewer: () => (token === null ? whoIs() : tokenOwner(client)),
    async signIn(user, secret, code) {
      file = createSessionFile({ ...account, user })
      return logIn(user, secret, code)
    },
    async claim(paste, given) {
      const signedIn = await withCode((code) => client.claim(paste, code), given)
      const who = await whoIs()
      file = createSessionFile({ ...account, user: who.username })
      known = ''
      return { ...who, ...signedIn }
    },
    rename(user) {
      file.remove()
      file = createSessionFile({ ...account, user })
      known = ''
    },
    async signOut() {
      const left = await client.logout()
      file.remove()
      return left
    },
    async close() {
      await client.idle()
      keep()
    },
  }
}

async function tokenOwner(client: Client): Promise<Who> {
  const answer = await client.send({ method: 'GET', path: 'capabilities' }).catch((thrown: unknown) => {
    if (toAppError(thrown).code !== 'noRoute') throw thrown
  })
  const token = tokenAnswer().safeParse(answer).data?.token
  if (!token) return { id: 0, username: '', role: 0, scopes: null }
  const { name, username, role, scopes, server_ids: servers } = token
  return { id: 0, username, role, scopes, token: name, ...(servers && { servers }) }
}

/** Ignored difference of the server’s clock: the Date header has whole seconds. */
const clockToleranceMs = 3000

function watched(io: Pick<Io, 'now' | 'env'>, trace: ((line: string) => void) | undefined) {
  const clock = { aheadMs: 0 }
  let calls: readonly MadeCall[] = []
  const log = (call: MadeCall, was?: MadeCall) => {
    calls = was
      ? calls.map((one) => (one === was ? call : one))
      : [...calls.filter((one, at) => one.method !== 'GET' || at > calls.length - maxCalls), call]
    return call
  }
  const httpFetch = createFetch(io.env)
  const fetch: Fetch = async (request) => {
    const { method, url, body } = request
    const path = url.slice(url.indexOf('/', url.indexOf('//') + 2))
    const startedAt = io.now()
    trace?.(`> ${method} ${url}${body === undefined ? '' : ` ${JSON.stringify(maskSecrets(JSON.parse(body), path))}`}`)
    const begun = log({ at: startedAt, method, path: maskedPath(path), status: null, ms: null })
    const end = (status: number | null) => log({ ...begun, status, ms: io.now() - startedAt }, begun)
    const response = await httpFetch(request).catch((thrown: unknown) => {
      end(null)
      throw thrown
    })
    end(response.status)
    const aheadMs = Date.parse(response.headers.get('date') ?? '') - io.now()
    clock.aheadMs = Math.abs(aheadMs) > clockToleranceMs ? aheadMs : 0
    trace?.(`< ${response.status} ${method} ${path} ${io.now() - startedAt} ms`)
    return response
  }
  return { fetch, clock, calls: () => calls }
}

function maskedPath(path: string): string {
  const [bare = '', query] = path.split('?')
  if (query === undefined) return bare
  const masked = maskSecrets(Object.fromEntries(new URLSearchParams(query)), bare) as Record<string, string>
  const parts = Object.entries(masked).map(([name, value]) => `${name}=${value}`)
  return `${bare}?${parts.join('&')}`
}
