import { jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'
import { parseJson } from '../errors.ts'
import type { Cancel, Ports, Socket } from './ports.ts'

/** Our servers’ subprotocol: only changes after the first frame (docs/reference/live-feed.md). Others send full frames. */
export const liveProtocol = 'quarterdeck.live.v1'

/** `retryAt` is epoch ms; `attempt` counts from 1 since the feed was last live. */
export type LiveState =
  | { status: 'off' }
  | { status: 'connecting' }
  | { status: 'live' }
  | { status: 'lost'; retryAt: number; attempt: number }

export interface LiveFeed {
  start(): void
  stop(): void
  retryNow(): void
  /** The machine lost its network: treats the connection as lost at once. */
  disconnect(): void
}

export interface LiveOptions {
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  baseUrl: string
  headers?(): Readonly<Record<string, string>>
  /** Subprotocols that the server supports (default none): browsers close a connection if the server selects none of those offered. */
  protocols?(): Promise<readonly string[]>
  onFrame(frame: unknown, first: boolean): void
  onState(state: LiveState): void
}

/** After this silence the connection is dead, whatever the socket says. */
const silenceMs = 15_000
/** Minimum message interval: of full frames, and of changes without a `beat` of their own. */
const beats = { full: 2000, unsaid: 10_000 }
/** After this many intervals without a message the feed counts as lost, although it may recover by itself. */
const doubtBeats = { soon: 1.5, late: 0.9 }

/** The feed of `/ws/server`, stopped. Reconnects forever with backoff. */
export function createLive({
  ports,
  baseUrl,
  headers,
  protocols = async () => [],
  onFrame,
  onState,
}: LiveOptions): LiveFeed {
  let socket: Socket | null = null
  let connection = 0
  let cancelTimer: Cancel = () => undefined
  let attempt = 0
  let isFirst = true
  let beatMs = beats.full
  let isInDoubt = false

  const later = (run: () => void, ms: number) => {
    cancelTimer()
    cancelTimer = ports.setTimer(run, ms)
  }
  const drop = () => {
    connection += 1
    const old = socket
    socket = null
    old?.close()
  }
  const lose = () => {
    drop()
    attempt += 1
    const waitMs = jitteredBackoffMs(reconnectBackoff, attempt - 1, ports.random())
    onState({ status: 'lost', retryAt: ports.now() + waitMs, attempt })
    later(connect, waitMs)
  }
  /** Waits in two steps, so that a program that was suspended reads pending messages before the second one ends. */
  const listen = () => {
    const [soon, late] = [doubtBeats.soon * beatMs, doubtBeats.late * beatMs]
    if (soon + late >= silenceMs) return later(lose, silenceMs)
    const doubt = () => {
      isInDoubt = true
      const restMs = silenceMs - soon - late
      onState({ status: 'lost', retryAt: ports.now() + restMs, attempt: 1 })
      later(lose, restMs)
    }
    later(() => later(doubt, late), soon)
  }
  const open = (mine: number, offered: readonly string[]) => {
    if (connection !== mine) return
    const isMine = () => connection === mine
    const url = `${baseUrl.replace(/^http/, 'ws')}/api/v1/ws/server`
    socket = ports.openSocket(
      { url, protocols: offered, headers: headers?.() ?? {} },
      {
        open: () => undefined,
        message(data) {
          const frame = isMine() ? toFrame(data) : null
          if (frame === null) return
          beatMs = beatOf(frame) ?? beatMs
          listen()
          if (isFirst || isInDoubt) onState({ status: 'live' })
          attempt = 0
          isInDoubt = false
          onFrame(frame, isFirst)
          isFirst = false
        },
        close: () => isMine() && lose(),
      },
    )
    if (isMine()) later(lose, silenceMs)
  }
  const connect = () => {
    drop()
    isFirst = true
    isInDoubt = false
    beatMs = beats.full
    if (attempt === 0) onState({ status: 'connecting' })
    const mine = connection
    protocols().then(
      (offered) => open(mine, offered),
      () => connection === mine && lose(),
    )
  }
  return {
    start: () => socket ?? connect(),
    retryNow: connect,
    disconnect: () => socket && lose(),
    stop() {
      cancelTimer()
      drop()
      attempt = 0
      onState({ status: 'off' })
    },
  }
}

/** The promised interval between messages; null if the message doesn’t say. */
function beatOf(frame: object): number | null {
  if (!('reset' in frame)) return null
  return 'beat' in frame && typeof frame.beat === 'number' ? frame.beat : beats.unsaid
}

function toFrame(data: string | Uint8Array): object | null {
  const frame = parseJson(typeof data === 'string' ? data : new TextDecoder().decode(data))
  return typeof frame === 'object' ? frame : null
}
