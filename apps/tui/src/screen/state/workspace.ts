import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { observe } from '@legendapp/state'
import { createFrecency, type Surroundings } from '@qd/core/actions'
import type { Cancel, Client, KeyValue, SignedIn } from '@qd/core/api'
import type { Call } from '@qd/core/define'
import { AppError, errorTraits, toAppError } from '@qd/core/errors'
import type { Format, Translator } from '@qd/core/i18n'
import { incident, resources } from '@qd/core/resources'
import {
  createLive$,
  createRecords$,
  createRemembered,
  createRunner,
  createSavedLists,
  createSession$,
  createView,
  type Session,
} from '@qd/core/store'
import type { Surface } from '@qd/core/view'
import { jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'
import { changeUserConfig } from '../../base/connect/config-file.ts'
import { type Connection, connect } from '../../base/connect/connection.ts'
import { readPrivate, writePrivate } from '../../base/connect/private-file.ts'
import { parseUrl, type Settings } from '../../base/connect/settings.ts'
import { socketPorts } from '../../base/connect/socket.ts'
import type { Io } from '../../base/io.ts'
import { version } from '../../base/version.ts'

/** A client without a connection yet, so that the first frame doesn't wait. */
interface LazyClient extends Client {
  open(): Promise<Connection>
  readonly connection: Connection | null
}

/** Allowed while `readOnly` (behaviour T-26). */
const unchanging = ['login', 'logout', 'refresh-token', 'alert-rule/backtest']

function createLazyClient(connect: () => Promise<Connection>, { readOnly }: { readOnly: boolean }): LazyClient {
  let opening: Promise<Connection> | null = null
  let connection: Connection | null = null
  const open = (): Promise<Connection> => {
    opening ??= connect().then(
      (made) => {
        connection = made
        return made
      },
      (thrown: unknown) => {
        opening = null
        throw thrown
      },
    )
    return opening
  }
  const refuse = ({ method, path }: Call) => {
    if (readOnly && method !== 'GET' && !unchanging.includes(path))
      throw new AppError('blocked', { reason: 'readOnly' })
  }
  return {
    open,
    get connection() {
      return connection
    },
    async send(call, options) {
      refuse(call)
      return (await open()).client.send(call, options)
    },
    list: async (...args) => (await open()).client.list(...args),
    get: async (...args) => (await open()).client.get(...args),
    login: async (...args) => (await open()).signIn(...args),
    claim: async (...args) => (await open()).claim(...args),
    logout: async () => (await open()).signOut(),
    capabilities: async () => (await open()).client.capabilities(),
    socketHeaders: () => connection?.client.socketHeaders() ?? {},
    idle: async () => connection?.client.idle(),
  }
}

export interface Loss {
  /** Next try; null while one is running. */
  retryAt: number | null
  dataAt: number | null
  error: AppError | null
}

export type Workspace = ReturnType<typeof createWorkspace>

export interface WorkspaceOptions {
  io: Io
  settings: Settings
  translator: Translator
  format: Format
  readOnly: boolean
  onChange(): void
}

type Prove = Parameters<Session['askProof']>[0]

const freshMs = 5000

export function createWorkspace({ io, settings, translator, format, readOnly, onChange }: WorkspaceOptions) {
  const { url, user, paths, token } = settings
  const folder = join(dirname(paths.sessions), 'state')
  const storage = createStorage({ folder, url, user: user ?? '', platform: io.platform })
  const ports = { ...socketPorts(io), storage }
  const remembered = createRemembered(ports)
  const asks = { onSessionEnd: () => session.ended(), onStepUp: (prove: Prove) => session.askProof(prove) }
  const client = createLazyClient(() => connect(io, settings, asks), { readOnly })
  // The build names this file by what is in it.
  const build = `${version} ${import.meta.url}`
  const records = createRecords$({ client, clock: ports, remembered, build })
  const supports = (capability: string) => session.supports(capability)
  const live = createLive$({ ports, baseUrl: url, client, records, view: () => view })
  const view = createView({ records, live, supports })
  let isClosed = false
  let startFailure: { error: AppError; retryAt: number | null } | null = null
  let attempt = 0
  let cancelRetry = () => {}
  let stopCounting: Cancel | null = null

  const goLive = async () => {
    await client.open()
    if (isClosed || !session.state$.profile.peek()) return
    live.start()
    // The header counts incidents everywhere.
    if (incident.requires !== null && session.supports(incident.requires)) stopCounting ??= records.watch(incident.name)
  }
  const session: Session = createSession$({
    client,
    storage,
    remembered,
    baseUrl: url,
    waiting: () => runner.waiting,
    onWho(who, isFirst) {
      records.open(who, isFirst)
      live.stop()
      if (who !== null) void goLive().catch(() => undefined)
    },
  })
  const program = { takesCode: true, keeps: true } as const
  const runner = createRunner({ client, clock: ports, records, session, view, program })
  const frecency = createFrecency(ports, {
    load: () => remembered.read('main', 'frecency'),
    save: (uses) => remembered.write('main', 'frecency', uses),
  })

  /** The feed doesn't know why it was lost, but lists do. */
  const failureOfLists = () => {
    const lists = resources.map(({ name }) => records.list$(name).peek())
    return lists.find(({ status }) => status === 'failed')?.error ?? null
  }

  const start = async () => {
    cancelRetry()
    startFailure &&= { ...startFailure, retryAt: null }
    onChange()
    try {
      await session.start()
      startFailure = null
      attempt = 0
      await goLive()
    } catch (thrown) {
      if (isClosed) return
      const error = toAppError(thrown)
      attempt += 1
      const waitMs = jitteredBackoffMs(reconnectBackoff, attempt - 1, io.random())
      startFailure = { error, retryAt: io.now() + waitMs }
      if (errorTraits[error.code].retry || error.code === 'unreachable') cancelRetry = io.setTimer(start, waitMs)
      else startFailure.retryAt = null
    }
    onChange()
  }

  const stopObserving = observe(() => {
    live.state$.feed.get()
    session.state$.get()
    // Feed samples are drawn once a second, or a thousand servers would draw all the time.
    for (const { name } of resources) {
      records.list$(name).get()
      records.version$(name).get()
    }
    onChange()
  })

  const enter = async (signingIn: Promise<SignedIn>, typed?: string): Promise<SignedIn> => {
    const signedIn = await signingIn
    await goLive()
    const username = typed ?? session.viewer().username
    if (token === null && username !== user) await rememberUser(io, { settings, username }).catch(() => undefined)
    return signedIn
  }
  const workspace = {
    settings,
    name: settings.profile ?? new URL(url).host,
    readOnly,
    client,
    records,
    live,
    view,
    session,
    runner,
    remembered,
    savedLists: createSavedLists({ storage, who: () => session.viewer().id }),
    frecency,
    translator,
    ...{ t: translator.t, say: translator.say, language: translator.language },
    format,
    surface: (): Surface => ({ translator, format, view, viewer: session.viewer() }),
    surroundings: (): Surroundings => ({ viewer: session.viewer(), view, supports }),
    /** Null if connected or not tried yet. */
    loss(): Loss | null {
      const { feed, heardAt } = live.state$.peek()
      const dataAt = heardAt ?? records.list$('server').peek().loadedAt
      if (feed.status === 'lost') return { retryAt: feed.retryAt, dataAt, error: failureOfLists() }
      return startFailure && { retryAt: startFailure.retryAt, dataAt, error: startFailure.error }
    },
    /** Whether the data is stale: disconnected, or only remembered. */
    isOld(): boolean {
      if (workspace.loss()) return true
      const { feed: state, heardAt } = live.state$.peek()
      const dataAt = heardAt ?? records.list$('server').peek().loadedAt
      return state.status !== 'live' && dataAt !== null && io.now() - dataAt > freshMs
    },
    signIn: (username: string, password: string, code?: string) =>
      enter(session.signIn(username, password, code), username),
    claim: (paste: string, code?: string) => enter(session.claim(code, paste)),
    start: () => void start(),
    retryNow() {
      if (startFailure || session.state$.status.peek() === 'unknown') void start()
      else live.retryNow()
    },
    async close() {
      isClosed = true
      cancelRetry()
      stopObserving()
      stopCounting?.()
      live.stop()
      remembered.flush()
      await runner.waiting.flush({ leaving: true })
      await client.connection?.close().catch(() => undefined)
    },
  }
  return workspace
}

/** Stored by server and user, in private files. Unreadable files count as missing: they only make the first frame fuller. */
function createStorage(where: { folder: string; url: string; user: string; platform: string }): KeyValue {
  const { folder, url, user, platform } = where
  const name = createHash('sha256').update(`${url}\n${user}`).digest('hex').slice(0, 24)
  const path = (key: string) => join(folder, name, `${key}.json`)
  return {
    get: (key) => forgiving(() => readPrivate(path(key), { platform })) ?? null,
    set: (key, value) => forgiving(() => writePrivate(path(key), value)),
    delete: (key) => forgiving(() => rmSync(path(key), { force: true })),
  }
}

function forgiving<Value>(run: () => Value): Value | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** Saves the user like `qd login`, so that the next start finds the session. */
async function rememberUser(io: Io, { settings, username }: { settings: Settings; username: string }): Promise<void> {
  const { url, profile, paths } = settings
  await changeUserConfig(paths.config, io.platform, (config) => {
    const isTaken = config.profiles.default?.url !== undefined && parseUrl(config.profiles.default.url) !== url
    const name = profile ?? (isTaken ? new URL(url).host.replace(/[^\w.-]/g, '-') : 'default')
    const saved = { ...config.profiles[name], url, user: username }
    return { ...config, current: config.current ?? name, profiles: { ...config.profiles, [name]: saved } }
  })
}
