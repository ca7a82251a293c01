import type { Base } from '../services.ts'
import type { RunChanges, RunStore } from './run-store.ts'

/** A write that failed, on a full disk say, is tried again after this. */
const retryMs = 1000
/** Parts written in one piece: a thousand answers at once must not keep other calls waiting. */
const mostAtOnce = 50

/** Changes of runs on their way to the database, in order. */
export interface RunWrites {
  add(changes: Partial<RunChanges>): void
  /** Resolves when all has been written, or could not be. */
  settled(): Promise<void>
  trouble(): string | null
}

/** Nothing to write yet. */
export function createRunWrites({ clock, log }: Pick<Base, 'clock' | 'log'>, store: RunStore): RunWrites {
  const left: RunChanges = { items: [], runs: [] }
  let writing: Promise<void> | null = null
  let trouble: string | null = null

  async function writeAll() {
    while (left.items.length + left.runs.length > 0) {
      const items = left.items.splice(0, mostAtOnce)
      // A run is over when all of its parts have been written.
      const runs = left.items.length > 0 ? [] : left.runs.splice(0)
      try {
        await store.change({ items, runs })
        trouble = null
      } catch (error) {
        if (trouble === null) log.error({ err: error }, 'results of runs cannot be stored: trying again')
        trouble = 'results of runs cannot be stored'
        left.items.unshift(...items)
        left.runs.unshift(...runs)
        clock.after(retryMs, write)
        break
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    writing = null
  }

  function write() {
    writing ??= Promise.resolve().then(writeAll)
  }

  return {
    add({ items = [], runs = [] }) {
      left.items.push(...items)
      left.runs.push(...runs)
      write()
    },
    async settled() {
      await writing
    },
    trouble: () => trouble,
  }
}
