import * as z from 'zod'
import { type HostProgress, type Listed, listRecords, readRecord } from '../actions/index.ts'
import { type AnyRow, type ApiPort, type Call, lazy, type Resource, shapeFaults } from '../define/index.ts'
import { AppError, toAppError } from '../errors.ts'
import type { Format, Translator } from '../i18n/index.ts'
import { type CookieJar, type Cookies, cookieNames, sessionCookies } from './cookies.ts'
import { announcedCapabilities, createGeneration, foundCapabilities } from './generation.ts'
import type { Ports } from './ports.ts'
import { createRefresher, type Lifetime } from './refresh.ts'
import { createTransport, type SendOptions } from './transport.ts'

/** How a client authenticates. An API token needs no cookies and no CSRF token, and is never refreshed. */
export type Credentials =
  | { kind: 'browser'; cookies: Cookies }
  | { kind: 'jar'; jar: CookieJar }
  | { kind: 'token'; token: string }

export interface ClientOptions {
  ports: Pick<Ports, 'fetch' | 'now' | 'random' | 'setTimer' | 'pause'>
  baseUrl: string
  credentials: Credentials
  lifetime?: Lifetime | null
  /** Called when a sign-in began or was prolonged (with its lifetime, to store), or ended (null). */
  onLifetime?(lifetime: Lifetime | null): void
  /** Called once for all calls that fail without a sign-in. Returns whether there is one again; the calls are then repeated. */
  onSessionEnd?(): Promise<boolean>
  /**
   * Called once for all calls that need the password again. `prove` sends it (errors: `wrongPassword`, `tooMany`). Returns whether it succeeded; the
   * calls are then repeated. Absent: they fail with `stepUpRequired`.
   */
  onStepUp?(prove: Prove): Promise<boolean>
  /** For a call with its retries (default 12 s). */
  timeoutMs?: number
  /** How often a failed read is retried (default 2). */
  retries?: number
}

/** Sends the password and perhaps a two-factor code. Errors: `wrongPassword`, `tooMany`, `codeRequired` and those of a wrong code. */
export type Prove = (password: string, code?: string) => Promise<SignedIn>

/** Number of recovery codes left, if one was used. */
export interface SignedIn {
  recoveryLeft: number | null
}

/** Nezha has no sign-out call, so the session `goesOn` there until `expiresAt` (epoch ms; null: unknown). */
export interface SignedOut {
  goesOn: boolean
  expiresAt: number | null
}

/** Talks to one server as one user: our programs’ only way to the HTTP API. */
export interface Client extends ApiPort {
  send(call: Call, options?: SendOptions): Promise<unknown>
  /** `hosts`: how records of hosts are read. */
  list(resource: Resource, options?: SendOptions & { query?: Call['query']; hosts?: HostProgress }): Promise<Listed>
  /** A record by ID; any ID for a single record. */
  get(resource: Resource, id: number, options?: SendOptions): Promise<AnyRow>
  /** Errors: `wrongPassword`, `codeRequired`, those of a wrong code and those of `send`. */
  login(username: string, password: string, code?: string): Promise<SignedIn>
  /** Completes a sign-in with the text from a provider’s page, or with a two-factor code. Errors: `oauthState`, `wrongCode`, `codeRequired` and those of a wrong code. */
  claim(paste: string | null, code?: string): Promise<SignedIn>
  /** Ends the session on the server if possible, and here always. */
  logout(): Promise<SignedOut>
  /** Cached. Nezha announces nothing, so its capabilities are probed. */
  capabilities(): Promise<readonly string[]>
  socketHeaders(): Readonly<Record<string, string>>
  /** Resolves when no refresh is in progress; wait for it before exiting. */
  idle(): Promise<void>
}

const session = lazy(() => z.object({ expire: z.string() }))
const words = lazy(() =>
  z
    .object({ capabilities: z.array(z.string()) })
    .transform(({ capabilities }) => capabilities)
    .catch([]),
)
const versionAnswer = lazy(() => z.object({ version: z.string() }).catch({ version: '' }))

/** Handles envelope, CSRF, refresh and older servers; callers see data or an AppError. */
export function createClient(options: ClientOptions): Client {
  const { ports, baseUrl, credentials, timeoutMs = 12_000, retries = 2 } = options
  const cookies = cookiesOf(credentials)
  const transport = createTransport({
    ports,
    baseUrl,
    timeoutMs,
    retries,
    headers({ method }) {
      const csrf = method === 'GET' ? null : cookies?.get(cookieNames.csrf)
      return { ...socketHeaders(credentials), ...(csrf ? { 'X-CSRF-Token': csrf } : {}) }
    },
    onAnswer: ({ setCookies }) => credentials.kind === 'jar' && credentials.jar.store(setCookies),
  })

  const version = once(async () => versionAnswer().parse(await transport({ method: 'GET', path: 'setting' })).version)
  const generation = createGeneration(() => version().catch(() => ''))

  /** Retries once after a CSRF refusal: deletes the cookie and reads something cheap that sets a new one (contract http-api 2.3). */
  const exchange = async (call: Call, sendOptions?: SendOptions): Promise<unknown> => {
    const attempt = () => generation(call, (moved) => transport(moved, sendOptions))
    try {
      return await attempt()
    } catch (thrown) {
      if (!cookies || toAppError(thrown).code !== 'csrf') throw thrown
      cookies.delete(cookieNames.csrf)
      await transport({ method: 'GET', path: 'profile' }, sendOptions)
      return attempt()
    }
  }

  /** The profile requires a sign-in: 1.x has no cookie that a page could check. */
  let hasProfile = false
  const refresher = createRefresher({
    clock: ports,
    lifetime: options.lifetime ?? null,
    isSignedIn: () => hasProfile || Boolean(cookies?.get(cookieNames.csrf)),
    refresh: async () => readExpire(await exchange({ method: 'POST', path: 'refresh-token' })),
    onLifetime: (lifetime) => options.onLifetime?.(lifetime),
  })
  const forget = () => {
    for (const name of sessionCookies) cookies?.delete(name)
    cookies?.delete(cookieNames.csrf)
    hasProfile = false
    refresher.end()
  }

  let signIns = 0
  let asking: Promise<boolean> | null = null
  const askForSession = (): Promise<boolean> => {
    asking ??= (options.onSessionEnd?.() ?? Promise.resolve(false)).finally(() => {
      asking = null
    })
    return asking
  }

  const prove: Prove = async (password, code) =>
    signedIn(
      await exchange({
        method: 'POST',
        path: 'step-up',
        body: { password, ...(code ? { code } : {}) },
        changesNothing: true,
      }),
    )
  let proving: Promise<boolean> | null = null
  const askForProof = (ask: NonNullable<ClientOptions['onStepUp']>): Promise<boolean> => {
    proving ??= ask(prove).finally(() => {
      proving = null
    })
    return proving
  }

  const capabilities = once(async () => {
    try {
      return announcedCapabilities(words().parse(await transport({ method: 'GET', path: 'capabilities' })))
    } catch (thrown) {
      if (toAppError(thrown).code === 'noRoute') return foundCapabilities((path) => transport({ method: 'GET', path }))
      throw thrown
    }
  })

  const logout = async (): Promise<SignedOut> => {
    const expiresAt = refresher.expiresAt()
    try {
      await exchange({ method: 'POST', path: 'logout' })
    } catch (thrown) {
      const { code } = toAppError(thrown)
      if (code === 'noRoute') return { goesOn: true, expiresAt }
      if (code !== 'unauthorized') throw thrown
    } finally {
      forget()
    }
    return { goesOn: false, expiresAt: null }
  }

  /** Nezha ends every session when the credentials change; the dead cookie must go before the next call (contract http-api 2.5). */
  const afterSend = async ({ method, path }: Call): Promise<void> => {
    // A missing response must not sign anybody out, so assume a server of ours.
    const isOther = async () => !(await capabilities().catch(() => ['logout'])).includes('logout')
    hasProfile ||= method === 'GET' && path === 'profile'
    if (method === 'POST' && path === 'profile' && (await isOther())) forget()
    else if (cookies) refresher.afterCall()
  }

  const send = async (call: Call, sendOptions?: SendOptions): Promise<unknown> => {
    if (call.method === 'POST' && call.path === 'logout') return logout()
    const signInsBefore = signIns
    const attempt = async () => {
      const data = await exchange(call, sendOptions)
      await afterSend(call)
      return data
    }
    try {
      return await attempt()
    } catch (thrown) {
      const { code } = toAppError(thrown)
      if (code === 'stepUpRequired' && options.onStepUp) {
        if (await askForProof(options.onStepUp)) return attempt()
        throw new AppError('cancelled')
      }
      if (code !== 'unauthorized') throw thrown
      // The user signed in during this call, which had the old cookie.
      if (signIns > signInsBefore) return attempt()
      // A dead cookie turns guest pages into the firewall’s block page (contract http-api 11, second hazard), so delete it at once.
      forget()
      if (sendOptions?.probe || !(await askForSession())) throw thrown
      return attempt()
    }
  }

  const enter = async (call: Call): Promise<SignedIn> => {
    try {
      const data = await transport({ ...call, changesNothing: true })
      signIns += 1
      // Binding an account doesn’t start a session.
      if (data !== null) refresher.begin(readExpire(data))
      return signedIn(data)
    } catch (thrown) {
      const error = toAppError(thrown)
      throw error.code === 'unauthorized' ? new AppError('wrongPassword', {}, { cause: error }) : error
    }
  }

  const withOptions = (sendOptions: SendOptions | undefined): ApiPort => ({
    send: (call) => send(call, sendOptions),
    pause: ports.pause,
  })
  return {
    send,
    list: (resource, { query, hosts, ...rest } = {}) => listRecords(withOptions(rest), resource, query, hosts),
    get: (resource, id, rest) => readRecord(withOptions(rest), resource, id),
    async login(username, password, code) {
      return enter({ method: 'POST', path: 'login', body: { username, password, ...(code ? { code } : {}) } })
    },
    async claim(paste, code) {
      return enter({
        method: 'POST',
        path: 'oauth2/claim',
        body: { ...(paste ? { paste } : {}), ...(code ? { code } : {}) },
      })
    },
    logout,
    capabilities,
    socketHeaders: () => socketHeaders(credentials),
    idle: () => refresher.idle(),
  }
}

const used = lazy(() => z.object({ recovery_left: z.int() }))

function signedIn(data: unknown): SignedIn {
  const read = used().safeParse(data)
  return { recoveryLeft: read.success ? read.data.recovery_left : null }
}

function readExpire(data: unknown): string {
  const parsed = session().safeParse(data)
  if (!parsed.success) throw new AppError('badAnswer', { reason: shapeFaults(parsed.error) })
  return parsed.data.expire
}

function cookiesOf(credentials: Credentials): Cookies | null {
  if (credentials.kind === 'token') return null
  return credentials.kind === 'jar' ? credentials.jar : credentials.cookies
}

function socketHeaders(credentials: Credentials): Readonly<Record<string, string>> {
  if (credentials.kind === 'token') return { Authorization: `Bearer ${credentials.token}` }
  const cookie = credentials.kind === 'jar' ? credentials.jar.header() : ''
  return cookie === '' ? {} : { Cookie: cookie }
}

export function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let answer: Promise<Value> | null = null
  return () => {
    answer ??= ask().catch((thrown: unknown) => {
      answer = null
      throw thrown
    })
    return answer
  }
}

/** Warns about a session that the sign-out couldn’t end. */
export function unrevokedSessionNote(
  { goesOn, expiresAt }: SignedOut,
  { translator: { t }, format }: { translator: Translator; format: Format },
): string | null {
  if (!goesOn) return null
  return expiresAt === null
    ? t('ui.login.goesOnOpen')
    : t('ui.login.goesOn', { time: format.instantLong(new Date(expiresAt).toISOString()) })
}

/** Whether these are the publicly known credentials of Nezha’s first account (behaviors, "Traps"). */
export function isFirstPassword(username: string, password: string): boolean {
  return username === 'admin' && password === 'admin'
}
