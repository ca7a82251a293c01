import type { Base } from '../../base.ts'
import type { Events } from '../events/event-tracker.ts'

/** A stream that speaks for a server. */
export interface AgentConnection {
  /** The agent's address, for people. */
  address: string
  /** Its connection: streams of one connection are of one agent. */
  peer: string
}

/** Notices two agents that report as the same server, which otherwise push each other out for ever. */
export interface DuplicateAgents {
  /** True if a stream must not take the place of the one that is there. */
  refuses(serverId: number, newcomer: AgentConnection): boolean
  opened(serverId: number, newcomer: AgentConnection): void
  reported(serverId: number, from: AgentConnection): void
  closed(serverId: number, from: AgentConnection): void
}

/** So often within `windowMs` a stream that was alive may be replaced by that of another connection: an agent whose network changes does. */
const maxTaken = 3
const windowMs = 300_000
/** A stream is alive that has told more than its first sample, the last of them not longer ago than this. */
const aliveMs = 10_000
/** The event is recorded again after this. */
const recordEveryMs = 3_600_000

interface State {
  current: AgentConnection
  samples: number
  lastAt: number
  taken: number[]
  recordedAt: number
}

/** Remembers per server who reports, and how often that changed. */
export function createDuplicateAgents({ clock }: Pick<Base, 'clock'>, events: Pick<Events, 'record'>): DuplicateAgents {
  const states = new Map<number, State>()
  const isAlive = ({ samples, lastAt }: State) => samples > 1 && Math.abs(clock.now() - lastAt) <= aliveMs
  const takenOf = (state: State) => state.taken.filter((at) => Math.abs(clock.now() - at) <= windowMs)

  return {
    refuses(serverId, newcomer) {
      const state = states.get(serverId)
      if (!state || state.current.peer === newcomer.peer || !isAlive(state)) return false
      if (takenOf(state).length < maxTaken) return false
      if (Math.abs(clock.now() - state.recordedAt) >= recordEveryMs) {
        state.recordedAt = clock.now()
        const params = { before: state.current.address, after: newcomer.address }
        events.record({ serverId, kind: 'two-agents', params })
      }
      return true
    },
    opened(serverId, newcomer) {
      const before = states.get(serverId)
      const taken = before ? takenOf(before) : []
      if (before && before.current.peer !== newcomer.peer && isAlive(before)) taken.push(clock.now())
      const recordedAt = before?.recordedAt ?? Number.NEGATIVE_INFINITY
      states.set(serverId, { current: newcomer, samples: 0, lastAt: clock.now(), taken, recordedAt })
    },
    reported(serverId, from) {
      const state = states.get(serverId)
      if (state?.current !== from) return
      state.samples += 1
      state.lastAt = clock.now()
    },
    closed(serverId, from) {
      const state = states.get(serverId)
      // Who has gone by itself was not pushed out; what was counted stays for as long as it says something.
      if (state?.current === from) state.samples = 0
    },
  }
}
