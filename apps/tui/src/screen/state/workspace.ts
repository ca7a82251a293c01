import { dirname, join } from 'node:path'
import { observe } from '@legendapp/state'
import { createEdits, createFrecency, type Edits, type Frecency, type Surroundings } from '@qd/core/actions'
import type { Cancel, SignedIn } from '@qd/core/api'
import type { ActionContext, View } from '@qd/core/define'
import { type AppError, errorTraits, toAppError } from '@qd/core/errors'
import type { Format, Translator } from '@qd/core/i18n'
import { incident, resources } from '@qd/core/resources'
import {
  type Activities,
  createActivities,
  createLive$,
  createRecords$,
  createRemembered,
  createSavedLists,
  createSession$,
  createView,
  createWaiting,
  type LiveStore,
  type Records,
  type Remembered,
  type SavedLists,
  type Session,
  type Waiting,
} from '@qd/core/store'
import type { Surface } from '@qd/core/view'
import { connect } from '../../base/connect/connection.ts'
import type { Settings } from '../../base/connect/settings.ts'
import { createOpenSocket } from '../../base/connect/socket.ts'
import type { Io } from '../../base/io.ts'
import { createLazyClient, type LazyClient } from './lazy-client.ts'
import { rememberUser } from './remember-user.ts'
import { createStorage } from './storage.ts'

/** A lost connection. Times are epoch ms. */
export interface Loss {
  /** When the next try is due; null while one is under way. */
  retryAt: number | null
  /** Of the data on screen; null when there is none. */
  dataAt: number | null
  error: AppError | null
}

/** Everything of one connection: its stores, who looks, what is remembered. */
export interface Workspace {
  readonly settings: Settings
  /** The profile, else the host: what the header says behind the user. */
  readonly name: string
  readonly readOnly: boolean
  readonly client: LazyClient
  readonly records: Records
  readonly live: LiveStore
  readonly view: View
  readonly session: Session
  /** Actions that can be taken back until they are sent (behaviour P-22). */
  readonly waiting: Waiting
  /** What was done over this connection (behaviour P-23). */
  readonly activities: Activities
  /** How edits of records are sent. */
  readonly edits: Edits
  readonly remembered: Remembered
  /** Columns and filters that people keep. */
  readonly savedLists: SavedLists
  readonly frecency: Frecency
  readonly translator: Translator
  readonly format: Format
  surface(): Surface
  surroundings(): Surroundings
  context(): ActionContext
  /** Null while everything is well, or nothing was tried yet. */
  loss(): Loss | null
  /** True while what is shown is not of now: the connection is lost, or there is only what was known last time. */
  isOld(): boolean
  signIn(username: string, password: string, code?: string): Promise<SignedIn>
  /** The same with what the page of a provider showed. */
  claim(paste: string, code?: string): Promise<SignedIn>
  start(): void
  /** Does not wait for the countdown. */
  retryNow(): void
  close(): Promise<void>
}

/** What a workspace is built from. `onChange` is called when anything on screen may be out of date. */
export interface WorkspaceOptions {
  io: Io
  settings: Settings
  translator: Translator
  format: Format
  readOnly: boolean
  onChange(): void
}

type Prove = Parameters<Session['askProof']>[0]

const firstWaitMs = 1000
const longestWaitMs = 30_000
/** Data younger than this counts as current. */
const freshMs = 5000

/** Builds the workspace of a connection. Nothing is asked of the server before `start`. */
export function createWorkspace({ io, settings, translator, format, readOnly, onChange }: WorkspaceOptions): Workspace {
  const { url, user, paths, token } = settings
  const folder = join(dirname(paths.sessions), 'state')
  const storage = createStorage({ folder, url, user: user ?? '', platform: io.platform })
  const ports = { now: io.now, random: io.random, setTimer: io.setTimer, storage, openSocket: createOpenSocket(io.env) }
  const remembered = createRemembered(ports)
  const asks = { onSessionEnd: () => session.ended(), onStepUp: (prove: Prove) => session.askProof(prove) }
  const client = createLazyClient(() => connect(io, settings, asks), { readOnly })
  const records = createRecords$({ client, clock: ports, remembered, resources })
  const supports = (capability: string) => session.supports(capability)
  const edits = createEdits({ api: client, supports })
  const waiting = createWaiting({ api: client, edits, clock: ports, records })
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
    // The header counts them wherever a person is.
    if (incident.requires !== null && session.supports(incident.requires)) stopCounting ??= records.watch(incident.name)
  }
  const session: Session = createSession$({
    client,
    storage,
    remembered,
    baseUrl: url,
    waiting: () => waiting,
    onWho(who) {
      records.open(who)
      live.stop()
      if (who !== null) void goLive().catch(() => undefined)
    },
  })
  const frecency = createFrecency(ports, {
    load: () => remembered.read('main', 'frecency'),
    save: (uses) => remembered.write('main', 'frecency', uses),
  })

  /** Why a list could not be read; the feed itself does not learn why it was lost. */
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
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + io.random() / 2)
      startFailure = { error, retryAt: io.now() + waitMs }
      if (errorTraits[error.code].retry || error.code === 'unreachable') cancelRetry = io.setTimer(start, waitMs)
      else startFailure.retryAt = null
    }
    onChange()
  }

  const stopObserving = observe(() => {
    live.state$.feed.get()
    session.state$.get()
    // Samples of the feed wait for the next second of the clock, or a thousand servers would be drawn all the time.
    for (const { name } of resources) {
      records.list$(name).get()
      records.version$(name).get()
    }
    onChange()
  })

  const enter = async (signingIn: Promise<SignedIn>, typed?: string): Promise<SignedIn> => {
    const told = await signingIn
    await goLive()
    const username = typed ?? session.viewer().username
    if (token === null && username !== user) await rememberUser(io, { settings, username }).catch(() => undefined)
    return told
  }
  const workspace: Workspace = {
    settings,
    name: settings.profile ?? new URL(url).host,
    readOnly,
    client,
    records,
    live,
    view,
    session,
    waiting,
    activities: createActivities(io),
    edits,
    remembered,
    savedLists: createSavedLists({ storage, who: () => session.viewer().id }),
    frecency,
    translator,
    format,
    surface: () => ({ translator, format, view, viewer: session.viewer() }),
    surroundings: () => ({ viewer: session.viewer(), view, supports: (capability) => session.supports(capability) }),
    context: () => ({ api: client, viewer: session.viewer(), view, takesCode: true }),
    loss() {
      const { feed, heardAt } = live.state$.peek()
      const dataAt = heardAt ?? records.list$('server').peek().loadedAt
      if (feed.status === 'lost') return { retryAt: feed.retryAt, dataAt, error: failureOfLists() }
      return startFailure && { retryAt: startFailure.retryAt, dataAt, error: startFailure.error }
    },
    isOld() {
      if (workspace.loss()) return true
      const { feed: state, heardAt } = live.state$.peek()
      const dataAt = heardAt ?? records.list$('server').peek().loadedAt
      return state.status !== 'live' && dataAt !== null && io.now() - dataAt > freshMs
    },
    signIn: (username, password, code) => enter(session.signIn(username, password, code), username),
    claim: (paste, code) => enter(session.claim(code, paste)),
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
      await waiting.flush({ leaving: true })
      await client.connection?.close().catch(() => undefined)
    },
  }
  return workspace
}
