import * as z from 'zod'
import { type Listed, listRecords, readRecord } from '../actions/index.ts'
import { type AnyRow, type ApiPort, type Call, lazy, type Resource, shapeFaults } from '../define/index.ts'
import { AppError, toAppError } from '../errors/index.ts'
import type { Format, Translator } from '../i18n/index.ts'
import { type CookieJar, type Cookies, cookieNames, sessionCookies } from './cookies.ts'
import { announcedCapabilities, createGeneration, foundCapabilities } from './generation.ts'
import type { Ports } from './ports.ts'
import { createRefresher, type Lifetime } from './refresh.ts'
import { createTransport, type SendOptions } from './transport.ts'

/** How this client proves who it is. An API token needs no cookies and no CSRF token and is never refreshed. */
export type Credentials =
  | { kind: 'browser'; cookies: Cookies }
  | { kind: 'jar'; jar: CookieJar }
  | { kind: 'token'; token: string }

/** What a client is built from. */
export interface ClientOptions {
  ports: Pick<Ports, 'fetch' | 'now' | 'random' | 'setTimer' | 'pause'>
  /** Origin and perhaps a path, without a slash at the end. */
  baseUrl: string
  credentials: Credentials
  /** Known from an earlier start of the program. */
  lifetime?: Lifetime | null
  /** Called when a sign-in began, was prolonged (its lifetime, to keep) or ended (null). */
  onLifetime?(lifetime: Lifetime | null): void
  /**
   * A call was refused for want of a sign-in. Returns whether there is one again now; then the call is sent once more. Asked once
   * for all calls that fail meanwhile.
   */
  onSessionEnd?(): Promise<boolean>
  /**
   * The server wants the password once more before a call. `prove` sends it (errors: `wrongPassword`, `tooMany`); returns whether
   * it was taken; then the call is sent again. Asked once for all calls that fail meanwhile. Absent: they fail with `stepUpRequired`.
   */
  onStepUp?(prove: Prove): Promise<boolean>
  /** For one call with its repetitions; default 12 s. */
  timeoutMs?: number
  /** How often a failed reading call is repeated; default 2. */
  retries?: number
}

/** Sends the password and perhaps the code of a second factor. Errors: `wrongPassword`, `tooMany`, `codeRequired` and those of a wrong code. */
export type Prove = (password: string, code?: string) => Promise<SignedIn>

/** What a sign-in or a proof tells besides that it was taken: how many recovery codes are left, where one was used. */
export interface SignedIn {
  recoveryLeft: number | null
}

/** What a sign-out leaves: existing dashboards have no such call, so that the sign-in `goesOn` there, until `expiresAt` (epoch ms, null: unknown). */
export interface SignedOut {
  goesOn: boolean
  expiresAt: number | null
}

/** Talks to one server as one person: the only way from a program of ours to the HTTP API. */
export interface Client extends ApiPort {
  send(call: Call, options?: SendOptions): Promise<unknown>
  list(resource: Resource, options?: SendOptions & { query?: Call['query'] }): Promise<Listed>
  /** One record by id; of a resource with a single record, any id. */
  get(resource: Resource, id: number, options?: SendOptions): Promise<AnyRow>
  /** Errors: `wrongPassword`, `codeRequired` and those of a wrong code besides those of `send`. */
  login(username: string, password: string, code?: string): Promise<SignedIn>
  /** Takes back what a sign-in provider's page showed, or the code that such a sign-in waits for. Errors: `oauthState`, `wrongCode`, `codeRequired` and those of a wrong code. */
  claim(paste: string | null, code?: string): Promise<SignedIn>
  /** Ends the sign-in on the server where it can, and here always. */
  logout(): Promise<SignedOut>
  /** What the server can do beyond what all of them can; asked once. An existing dashboard announces nothing: what it has is looked for. */
  capabilities(): Promise<readonly string[]>
  /** Headers that authenticate a websocket outside a browser. */
  socketHeaders(): Readonly<Record<string, string>>
  /** Resolves when no refresh is under way; programs that exit wait for it. */
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

/** Builds a client. Envelope, CSRF, refresh and generations are its matter; callers see data or AppError. */
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

  /** A CSRF refusal is met once: drop the cookie, read something cheap that sets a new one, send again (contract http-api 2.3). */
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

  /** The profile is for who is signed in: 1.x has no cookie by which a page could tell. */
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

  /** Existing dashboards end every sign-in when the credentials change; the dead cookie must go before the next call (contract http-api 2.5). */
  const afterSend = async ({ method, path }: Call): Promise<void> => {
    // A missing answer must not sign anybody out, so the server is taken for one of ours.
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
      // Somebody signed in while this call was under way: its cookie was the old one.
      if (signIns > signInsBefore) return attempt()
      // A dead cookie turns guest pages into the firewall's block page (contract http-api 11, second hazard), so it goes at once.
      forget()
      if (sendOptions?.probe || !(await askForSession())) throw thrown
      return attempt()
    }
  }

  const enter = async (call: Call): Promise<SignedIn> => {
    try {
      const data = await transport({ ...call, changesNothing: true })
      signIns += 1
      // Who only bound an account is signed in already.
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
    list: (resource, { query, ...rest } = {}) => listRecords(withOptions(rest), resource, query),
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

/** Remembers the first answer of `ask`; a failure is asked again. */
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

/** What a sign-out could not end; null where it ended everything. */
export function goesOnText(
  { goesOn, expiresAt }: SignedOut,
  { translator: { t }, format }: { translator: Translator; format: Format },
): string | null {
  if (!goesOn) return null
  return expiresAt === null
    ? t('ui.login.goesOnOpen')
    : t('ui.login.goesOn', { time: format.instantLong(new Date(expiresAt).toISOString()) })
}

/** True for what the first account of every existing dashboard is made with, and anybody can try (behaviours, "Traps"). */
export function isFirstPassword(username: string, password: string): boolean {
  return username === 'admin' && password === 'admin'
}
