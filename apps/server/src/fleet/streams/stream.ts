import type { StreamEnd } from '@qd/protocol/stream-close'
import { keepaliveFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'
import { createScrollback, type Scrollback } from './scrollback.ts'

/** What a stream may be for, with the task that asks the agent for it. Source: agent contract 3.2. */
export const streamTasks = {
  terminal: taskType.terminal,
  nat: taskType.nat,
  file: taskType.files,
  transfer: taskType.transferFile,
} as const

/** What a stream is for. */
export type StreamPurpose = keyof typeof streamTasks

/** Why a stream is over: what its close codes tell, the user went (`left`), or the server stops (`stop`). */
export type Ending = StreamEnd | 'left' | 'stop'

/** One end of a stream, as the relay needs it: an agent's call or a user's websocket. */
export interface Side {
  /** False: enough is waiting; `drained` of the link says when it has gone. */
  send(bytes: Uint8Array): boolean
  /** Reads from the peer, or holds it back. */
  flow(isOn: boolean): void
  /** `exit`: the exit status of a shell that has ended, where its agent said it. */
  close(ending: Ending, exit?: number | null): void
}

/** A user's end. */
export interface UserSide extends Side {
  readonly caller: Caller
  /** The stream outlives a lost connection and is attached to again. */
  readonly comesBack: boolean
  /** Bytes of output that this user has had on earlier connections. */
  readonly received: number
  answers(): Promise<boolean>
}

/** What an attached side tells its stream. */
export interface Link {
  data(bytes: Uint8Array): void
  drained(): void
  /** Called when the peer disconnects. `said` is true for a clean close, false if the connection was cut. */
  gone(said: boolean): void
}

/** A relayed stream apart from its connections: a user's end, an agent's end, and what happens while one is missing. */
export interface Stream {
  readonly id: string
  readonly serverId: number
  readonly purpose: StreamPurpose
  readonly creator: Caller
  /** Epoch ms. */
  readonly createdAt: number
  /** When its user last sent something, epoch ms. */
  usedAt(): number
  /**
   * The way to attach a user's end; null while another one is attached that answers. One that does not may be taken over by
   * an end that comes back, and is closed with `replaced`. The way answers null if somebody else was quicker.
   */
  admit(comesBack: boolean): Promise<((side: UserSide) => Link | null) | null>
  /** Null if an agent is attached already. */
  attachAgent(side: Side): Link | null
  /** The agent says how the shell ended; the end of the stream follows. */
  exited(exit: number): void
  end(ending: Ending): void
}

/** How long a stream waits, and how much it keeps. */
export const streamLimits = {
  /** For its first user. */
  userMs: 30_000,
  /** For its agent once the user is there. Source: agent contract 4.2. */
  agentMs: 10_000,
  /** For a user whose connection was lost. Source: behaviour W-11. */
  returnMs: 60_000,
  openMs: 24 * 3_600_000,
  /** Between empty messages to the agent. Source: agent contract 2.3. */
  keepaliveMs: 30_000,
  /** The end of a shell looks at first like a call that is cut. */
  agentEndedMs: 100,
  /** A call that is cut is the end of a shell of Nezha agents, or the first sign that an agent is lost or stops: then its task stream follows. */
  agentCutMs: 500,
  scrollbackBytes: 256 * 1024,
}

/** What a stream is made of. */
export interface StreamParts {
  id: string
  serverId: number
  purpose: StreamPurpose
  creator: Caller
  watch?: { fromUser(bytes: Uint8Array): void; fromAgent(bytes: Uint8Array): void } | undefined
  clock: Clock
  isConnected(): boolean
  onAttach(caller: Caller, isFirst: boolean): void
  onEnd(ending: Ending): void
}

/** A stream that waits for both of its ends; nothing is read from either before the other is there. */
export function createStream(parts: StreamParts): Stream {
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
        if (!isCurrent() || !agent || agent.send(bytes)) return
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
    usedAt: () => usedAt,
    exited(code) {
      exit = code
    },
    end,
    async admit(comesBack) {
      const before = user
      if (before && (!comesBack || (await before.answers()))) return null
      return (side) => (isOver || (user && user !== before) ? null : attachUser(side))
    },
    attachAgent(side) {
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
