import { jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'
import { type LogEntry, type LogSource, logLimits, readLogFrame } from '@qd/protocol/logs'
import { parseStreamClose, type StreamEnd } from '@qd/protocol/stream-close'
import * as z from 'zod'
import type { Cancel, Ports, Socket } from '../api/index.ts'
import { type ApiPort, type HostState, hostStates, lazy, shapeFaults } from '../define/index.ts'
import { AppError, parseJson, toAppError } from '../errors.ts'

/** What to read. Source: docs/reference/host-resources.md. */
export interface LogQuery extends Readonly<Record<LogSource, string>> {
  /** A query over servers; empty: all. */
  readonly on: string
  /** Epoch ms; null: any time. */
  readonly since: number | null
  /** The newest lines of each host; null: the default. */
  readonly lines: number | null
  readonly follow: boolean
  /** A regular expression; empty: all lines. */
  readonly grep: string
}

/** A line and the server that it comes from. */
export interface LogLine extends LogEntry {
  readonly server_id: number
  readonly server: string
}

/** A server of the reading. */
export interface LogHost {
  readonly server_id: number
  readonly name: string
  readonly state: HostState
  /** What the host said of a failure; empty for nothing. */
  readonly error: string
}

/** `lost`: reads again at `retryAt`, epoch ms. `refused`: the reading couldn’t be opened. */
export type LogState =
  | { readonly status: 'opening' }
  | { readonly status: 'live' }
  | { readonly status: 'lost'; readonly retryAt: number }
  | { readonly status: 'refused'; readonly error: AppError }
  | { readonly status: 'ended'; readonly reason: StreamEnd }

/** A reading of logs. */
export interface LogSession {
  start(): void
  /** Stops or resumes taking lines; the hosts count what they leave out meanwhile. Without effect in browsers. */
  flow(isOn: boolean): void
  /** Ends the reading and all callbacks. */
  close(): void
}

export interface LogSessionOptions {
  query: LogQuery
  api: ApiPort
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  /** http or https origin of the server, perhaps with a path. */
  baseUrl: string
  headers?(): Readonly<Record<string, string>>
  /** Lines of all hosts in the order of their times, and how many are missing. */
  onLines(lines: readonly LogLine[], left: number): void
  onHosts(hosts: readonly LogHost[]): void
  onState(state: LogState): void
}

/** Lines that come within this time are put in order together. */
const mergeMs = 200

const answer = lazy(() =>
  z.looseObject({
    session_id: z.string().min(1),
    hosts: z.array(z.object({ server_id: z.int(), name: z.string() })).max(logLimits.hosts),
  }),
)
const stateMessage = lazy(() =>
  z.object({
    server_id: z.int(),
    state: z.enum(hostStates),
    filtered: z.boolean().catch(true),
    error: z.string().catch(''),
  }),
)

/** A test of lines as `journalctl --grep` does it; null for an expression that isn’t one here. Only for hosts that can’t do it themselves. */
function matcherOf(grep: string): ((text: string) => boolean) | null {
  if (grep === '') return null
  try {
    const expression = new RegExp(grep, grep === grep.toLowerCase() ? 'i' : '')
    return (text) => expression.test(text)
  } catch {
    return null
  }
}

/** Not started yet. A followed reading that is lost goes on from its last lines. */
export function createLogSession(options: LogSessionOptions): LogSession {
  const { query, api, ports, baseUrl, headers } = options
  const hosts = new Map<number, LogHost>()
  const unfiltered = new Set<number>()
  const newest = new Map<number, number>()
  /** After a loss, what was there before comes again. */
  let seen: ReadonlyMap<number, number> = new Map()
  const matches = matcherOf(query.grep)
  let socket: Socket | null = null
  /** Number of the current connection; events of earlier ones are ignored. */
  let turn = 0
  let attempt = 0
  let arrived: LogLine[] = []
  let left = 0
  let isMerging = false
  let isHeld = false
  let cancelTimer: Cancel = () => undefined
  let cancelMerge: Cancel = () => undefined

  const flush = () => {
    cancelMerge()
    isMerging = false
    if (arrived.length === 0 && left === 0) return
    const lines = arrived.sort((a, b) => a.at - b.at)
    const missing = left
    arrived = []
    left = 0
    options.onLines(lines, missing)
  }
  const take = (id: number, entries: readonly LogEntry[], missing: number) => {
    const host = hosts.get(id)
    if (!host) return
    const after = seen.get(id) ?? -1
    const mayCount = (text: string) => !unfiltered.has(id) || matches === null || matches(text)
    const wanted = entries.filter(({ at, text }) => at > after && mayCount(text))
    for (const entry of wanted) arrived.push({ ...entry, server_id: id, server: host.name })
    for (const { at } of entries) newest.set(id, Math.max(at, newest.get(id) ?? 0))
    left += missing
    if (isMerging) return
    isMerging = true
    cancelMerge = ports.setTimer(flush, mergeMs)
  }
  const hear = (text: string) => {
    const message = parseJson(text)
    const frame = readLogFrame(message)
    const id = Number((message as { server_id?: unknown } | null)?.server_id)
    if (frame?.kind === 'entries') return take(id, frame.entries, frame.left)
    const { data } = stateMessage().safeParse(message)
    const host = data && hosts.get(data.server_id)
    if (!host) return
    const { state, error, filtered } = data
    if (!filtered) unfiltered.add(id)
    if (host.state === state && host.error === error) return
    hosts.set(id, { ...host, state, error })
    options.onHosts([...hosts.values()])
  }

  const drop = () => {
    turn += 1
    cancelTimer()
    const old = socket
    socket = null
    old?.close()
  }
  const finish = (state: LogState) => {
    drop()
    flush()
    options.onState(state)
  }
  const lose = () => {
    const waitMs = jitteredBackoffMs(reconnectBackoff, attempt, ports.random())
    attempt += 1
    finish({ status: 'lost', retryAt: ports.now() + waitMs })
    cancelTimer = ports.setTimer(() => void open(), waitMs)
  }
  /** All hosts have one time: the oldest of their last lines. */
  const since = () => (newest.size > 0 ? Math.min(...newest.values()) + 1 : query.since)

  const open = async () => {
    drop()
    const mine = turn
    options.onState({ status: 'opening' })
    const { lines, ...rest } = query
    const body = { ...rest, since: since(), ...(lines !== null && newest.size === 0 && { lines }) }
    try {
      const made = await api.send({ method: 'POST', path: 'host/logs', body, changesNothing: true })
      if (mine === turn) attach(readAnswer(made))
    } catch (thrown) {
      if (mine !== turn) return
      const error = toAppError(thrown)
      const mayPass = error.code === 'unreachable' || error.code === 'timeout'
      if (mayPass && query.follow && hosts.size > 0) lose()
      else finish({ status: 'refused', error })
    }
  }
  const attach = ({ session_id, hosts: named }: z.output<ReturnType<typeof answer>>) => {
    const mine = turn
    seen = new Map(newest)
    hosts.clear()
    for (const { server_id, name } of named) hosts.set(server_id, { server_id, name, state: 'pending', error: '' })
    options.onHosts([...hosts.values()])
    socket = ports.openSocket(
      {
        url: `${baseUrl.replace(/^http/, 'ws')}/api/v1/ws/logs/${session_id}`,
        protocols: [],
        headers: headers?.() ?? {},
      },
      {
        open() {
          if (mine !== turn) return
          if (isHeld) socket?.flow?.(false)
          options.onState({ status: 'live' })
        },
        message(data) {
          if (mine !== turn || typeof data !== 'string') return
          attempt = 0
          hear(data)
        },
        close(code) {
          if (mine !== turn) return
          const reason = parseStreamClose(code)
          if (reason === undefined && query.follow) lose()
          else finish({ status: 'ended', reason: reason ?? 'agent-gone' })
        },
      },
    )
  }

  return {
    start: () => void open(),
    flow(isOn) {
      isHeld = !isOn
      socket?.flow?.(isOn)
    },
    close() {
      cancelMerge()
      drop()
    },
  }
}

function readAnswer(data: unknown): z.output<ReturnType<typeof answer>> {
  const parsed = answer().safeParse(data)
  if (!parsed.success) throw new AppError('badAnswer', { reason: shapeFaults(parsed.error) })
  return parsed.data
}
