import type { Clock } from '../../kernel/ports.ts'
import { emptyState, type MonitorState } from './decide.ts'
import type { Reporter } from './figures.ts'
import type { ServiceFigures } from './types.ts'

/** What is known of one monitor while the process runs. Times are epoch ms. */
export interface Entry {
  state: MonitorState
  readonly reporters: Map<number, Reporter>
  lastResultAt: number | null
  askedAt: number | null
  isUnheard: boolean
  /** The next result is announced at once: somebody waits for it. */
  isWaitedFor: boolean
  /** As last announced. */
  figures: ServiceFigures | null
  figuresAt: number
  /** Rises with every announcement. */
  version: number
}

/** Every monitor that something is known of, by the service's id. */
export interface Entries {
  /** What is known of a service; nothing yet where it is first asked for. */
  of(id: number): Entry
  find(id: number): Entry | undefined
  /** Another target, or another kind of probe: what was answered before says nothing of it. */
  clearResults(id: number): void
  /** A server is gone, and with it what it reported. */
  forgetReporter(serverId: number): void
  remove(id: number): void
}

/** Knows nothing yet. */
export function createEntries(clock: Pick<Clock, 'now'>): Entries {
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
    find: (id) => entries.get(id),
    remove: (id) => void entries.delete(id),
    clearResults(id) {
      const entry = of(id)
      entry.state = { ...entry.state, rounds: [], certificates: [] }
      entry.reporters.clear()
    },
    forgetReporter(serverId) {
      for (const entry of entries.values()) {
        entry.reporters.delete(serverId)
        const { slow, fast } = entry.state
        if (slow.has(serverId) || fast.has(serverId)) entry.state = { ...entry.state, slow: new Set(), fast: new Set() }
      }
    },
  }
}
