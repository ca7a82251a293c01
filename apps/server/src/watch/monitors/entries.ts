import type { Clock } from '../../kernel/ports.ts'
import { emptyState, type MonitorState } from './decide.ts'
import type { Reporter } from './figures.ts'
import type { ServiceFigures } from './types.ts'

/** Runtime state of one monitor. Times are epoch ms. */
export interface Entry {
  state: MonitorState
  readonly reporters: Map<number, Reporter>
  lastResultAt: number | null
  askedAt: number | null
  isUnheard: boolean
  /** Announce the next result at once, because a user waits for it. */
  isWaitedFor: boolean
  figures: ServiceFigures | null
  figuresAt: number
  version: number
}

export function createEntries(clock: Pick<Clock, 'now'>) {
  const entries = new Map<number, Entry>()

  function of(id: number): Entry {
    const known = entries.get(id)
    if (known) return known
    const entry: Entry = {
      state: emptyState(clock.now()),
      reporters: new Map(),
      lastResultAt: null,
      askedAt: null,
      isUnheard: false,
      isWaitedFor: false,
      figures: null,
      figuresAt: 0,
      version: 0,
    }
    entries.set(id, entry)
    return entry
  }

  return {
    of,
    find: (id: number) => entries.get(id),
    remove: (id: number): void => void entries.delete(id),
    /** After a change of target or type, old results are void. */
    clearResults(id: number): void {
      const entry = of(id)
      entry.state = { ...entry.state, rounds: [], certificates: [] }
      entry.reporters.clear()
    },
    forgetReporter(serverId: number): void {
      for (const entry of entries.values()) {
        entry.reporters.delete(serverId)
        const { slow, fast } = entry.state
        if (slow.has(serverId) || fast.has(serverId)) entry.state = { ...entry.state, slow: new Set(), fast: new Set() }
      }
    },
  }
}
