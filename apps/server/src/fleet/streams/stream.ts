import type { StreamEnd } from '@qd/protocol/stream-close'
import { keepaliveFrame } from '@qd/protocol/stream-frames'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'

/** Task per purpose of a stream (agent contract 3.2). */
export const streamTasks = {
  terminal: taskType.terminal,
  nat: taskType.nat,
  file: taskType.files,
  transfer: taskType.transferFile,
  logs: extensionTask.logs,
} as const

export type StreamPurpose = keyof typeof streamTasks

/** A close code's reason; `left`: the user went; `stop`: the server stops. */
export type Ending = StreamEnd | 'left' | 'stop'

export interface Side {
  /** False: wait for `drained`. */
  send(bytes: Uint8Array): boolean
  flow(isOn: boolean): void
  /** `exit`: the shell's exit status, if known. */
  close(ending: Ending, exit?: number | null): void
}

export interface UserSide extends Side {
  readonly caller: Caller
  /** The stream survives a lost connection. */
  readonly comesBack: boolean
  /** Bytes of output already received. */
  readonly received: number
  answers(): Promise<boolean>
}

export interface Link {
  data(bytes: Uint8Array): void
  drained(): void
  /** Called when the peer disconnects. `said` is true for a clean close, false if the connection was cut. */
  gone(said: boolean): void
}

export type Stream = ReturnType<typeof createStream>

export const streamLimits = {
  /** Until the first user. */
  userMs: 30_000,
  /** Until the agent, once the user is there (agent contract 4.2). */
  agentMs: 10_000,
  /** Until a user returns (behaviour W-11). */
  returnMs: 60_000,
  openMs: 24 * 3_600_000,
  /** Between empty messages to the agent (agent contract 2.3). */
  keepaliveMs: 30_000,
  /** The end of a shell first looks like a cut call. */
  agentEndedMs: 100,
  /** A cut call is the end of a Nezha agent's shell, or the first sign of a lost agent, whose task stream follows. */
  agentCutMs: 500,
  scrollbackBytes: 256 * 1024,
}

export interface StreamParts {
  id: string
  serverId: number
  purpose: StreamPurpose
  creator: Caller
  watch?: { fromUser(bytes: Uint8Array): void; fromAgent(bytes: Uint8Array): void } | undefined
  /** Sent to the agent after the user’s first message, which has the size of a terminal. */
  opening?: Uint8Array | undefined
  clock: Clock
  isConnected(): boolean
  onAttach(caller: Caller, isFirst: boolean): void
  onEnd(ending: Ending): void
}

/** Reads from neither end until both are attached. */
export function createStream(parts: StreamParts) {
  const { id, serverId, creator, clock } = parts
  let agent: Side | null = null
  let user: UserSide | null = null
  let hadUser = false
  let usedAt = clock.now()
  let isOver = false
  let exit: number | null = null
  let agentIsFull = false
  let userIsFull = false
  let scrollback: Scrollback | null = null
  let { opening } = parts
  let cancelBeat = () => {}
  let cancelLost = () => {}
  let cancelWait = clock.after(streamLimits.userMs, () => end('left'))
  const cancelLimit = clock.after(streamLimits.openMs, () => end('limit'))

  function wait(ms: number, run: () => void) {
    cancelWait()
    cancelWait = clock.after(ms, run)
  }
  function regulate() {
    agent?.flow(user ? !userIsFull : hadUser)
    user?.flow(agent !== null && !agentIsFull)
  }
  function beat() {
    agent?.send(keepaliveFrame)
    cancelBeat = clock.after(streamLimits.keepaliveMs, beat)
  }
  function toUser(bytes: Uint8Array) {
    if (!user || bytes.length === 0 || user.send(bytes) || userIsFull) return
    userIsFull = true
    regulate()
  }
  function end(ending: Ending) {
    if (isOver) return
    isOver = true
    for (const cancel of [cancelWait, cancelLimit, cancelBeat, cancelLost]) cancel()
    agent?.close(ending)
    user?.close(ending, exit)
    parts.onEnd(ending)
  }

  function attachUser(side: UserSide): Link {
    const before = user
    user = side
    userIsFull = false
    before?.close('replaced')
    cancelWait()
    if (!agent) wait(streamLimits.agentMs, () => end('no-agent'))
    parts.onAttach(side.caller, !hadUser)
    hadUser = true
    if (scrollback) toUser(scrollback.read(side.received))
    else if (side.comesBack) scrollback = createScrollback(streamLimits.scrollbackBytes)
    regulate()
    const isCurrent = () => user === side && !isOver
    return {
      data(bytes) {
        if (isCurrent()) usedAt = clock.now()
        if (isCurrent() && agent) parts.watch?.fromUser(bytes)
        if (!isCurrent() || !agent) return
        let isTaken = agent.send(bytes)
        if (opening) isTaken = agent.send(opening)
        opening = undefined
        if (isTaken) return
        agentIsFull = true
        regulate()
      },
      drained() {
        if (!isCurrent()) return
        userIsFull = false
        regulate()
      },
      gone(said) {
        if (!isCurrent()) return
        user = null
        if (said || !side.comesBack) return end('left')
        wait(streamLimits.returnMs, () => end('left'))
        regulate()
      },
    }
  }

  return {
    id,
    serverId,
    purpose: parts.purpose,
    creator,
    createdAt: clock.now(),
    /** Epoch ms of the user's last input. */
    usedAt: () => usedAt,
    exited(code: number): void {
      exit = code
    },
    end,
    /** Returns how to attach a user; null if another one is attached and answers. A returning user displaces a dead one (`replaced`). The attach function returns null if another was quicker. */
    async admit(comesBack: boolean): Promise<((side: UserSide) => Link | null) | null> {
      const before = user
      if (before && (!comesBack || (await before.answers()))) return null
      return (side) => (isOver || (user && user !== before) ? null : attachUser(side))
    },
    attachAgent(side: Side): Link | null {
      if (isOver || agent) return null
      agent = side
      if (user) cancelWait()
      cancelBeat = clock.after(streamLimits.keepaliveMs, beat)
      regulate()
      return {
        data(bytes) {
          parts.watch?.fromAgent(bytes)
          scrollback?.add(bytes)
          toUser(bytes)
        },
        drained() {
          agentIsFull = false
          regulate()
        },
        gone(said) {
          if (isOver) return
          const ms = said ? streamLimits.agentEndedMs : streamLimits.agentCutMs
          cancelLost()
          cancelLost = clock.after(ms, () => end(parts.isConnected() ? 'ended' : 'agent-gone'))
        },
      }
    },
  }
}

type Scrollback = ReturnType<typeof createScrollback>

const lineEnd = 10

/** Keeps the last `sizeBytes`, allocated with the first byte. */
export function createScrollback(sizeBytes: number) {
  let ring: Buffer | null = null
  let total = 0
  return {
    add(bytes: Uint8Array): void {
      ring ??= Buffer.allocUnsafe(sizeBytes)
      total += bytes.length
      const tail = bytes.subarray(-sizeBytes)
      const at = (total - tail.length) % sizeBytes
      const fits = Math.min(tail.length, sizeBytes - at)
      ring.set(tail.subarray(0, fits), at)
      ring.set(tail.subarray(fits), 0)
    },
    /** Output after the first `from` bytes. If some is lost, it begins after a line end, so that no escape sequence is cut. */
    read(from: number): Uint8Array {
      if (!ring || from >= total) return Buffer.alloc(0)
      const at = total <= sizeBytes ? 0 : total % sizeBytes
      const kept = Buffer.concat([ring.subarray(at, total), ring.subarray(0, at)])
      const first = total - kept.length
      return kept.subarray(from >= first ? from - first : kept.indexOf(lineEnd) + 1)
    },
  }
}
