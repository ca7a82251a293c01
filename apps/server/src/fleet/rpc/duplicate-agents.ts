import type { Base } from '../../base.ts'
import type { Events } from '../events/event-tracker.ts'

export interface AgentConnection {
  address: string
  peer: string
}

/** Detects two agents reporting as the same server, which would displace each other forever. */
export type DuplicateAgents = ReturnType<typeof createDuplicateAgents>

/** How often a live stream may be replaced by another connection's within `windowMs`, as after a change of networks. */
const maxTaken = 3
const windowMs = 300_000
/** A stream with more than one sample, the last this recent, is live. */
const aliveMs = 10_000
const recordEveryMs = 3_600_000

interface State {
  current: AgentConnection
  samples: number
  lastAt: number
  taken: number[]
  recordedAt: number
}

export function createDuplicateAgents({ clock }: Pick<Base, 'clock'>, events: Pick<Events, 'record'>) {
  const states = new Map<number, State>()
  const isAlive = ({ samples, lastAt }: State) => samples > 1 && Math.abs(clock.now() - lastAt) <= aliveMs
  const takenOf = (state: State) => state.taken.filter((at) => Math.abs(clock.now() - at) <= windowMs)

  return {
    refuses(serverId: number, newcomer: AgentConnection): boolean {
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
    opened(serverId: number, newcomer: AgentConnection): void {
      const before = states.get(serverId)
      const taken = before ? takenOf(before) : []
      if (before && before.current.peer !== newcomer.peer && isAlive(before)) taken.push(clock.now())
      const recordedAt = before?.recordedAt ?? Number.NEGATIVE_INFINITY
      states.set(serverId, { current: newcomer, samples: 0, lastAt: clock.now(), taken, recordedAt })
    },
    reported(serverId: number, from: AgentConnection): void {
      const state = states.get(serverId)
      if (state?.current !== from) return
      state.samples += 1
      state.lastAt = clock.now()
    },
    closed(serverId: number, from: AgentConnection): void {
      const state = states.get(serverId)
      // It wasn't displaced; the count stays for its window.
      if (state?.current === from) state.samples = 0
    },
  }
}
