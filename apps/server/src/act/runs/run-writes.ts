import type { Base } from '../../base.ts'
import { createWriteBehind, type WriteBehind } from '../../store/db/write-behind.ts'
import type { RunChanges, RunStore } from './run-store.ts'

/** Parts written in one piece: a thousand answers at once must not keep other calls waiting. */
const mostAtOnce = 50

/** Changes of runs on their way to the database, in order. */
export interface RunWrites extends Pick<WriteBehind, 'settled' | 'finish' | 'trouble'> {
  add(changes: Partial<RunChanges>): void
}

/** Nothing to write yet. */
export function createRunWrites(base: Pick<Base, 'clock' | 'log'>, store: RunStore): RunWrites {
  const left: RunChanges = { items: [], runs: [] }
  const { wake, ...writer } = createWriteBehind(base, {
    what: 'run results',
    isLeft: () => left.items.length + left.runs.length > 0,
    async writeSome() {
      const items = left.items.splice(0, mostAtOnce)
      // A run is over when all of its parts have been written.
      const runs = left.items.length > 0 ? [] : left.runs.splice(0)
      try {
        await store.change({ items, runs })
      } catch (error) {
        left.items.unshift(...items)
        left.runs.unshift(...runs)
        throw error
      }
    },
  })
  return {
    ...writer,
    add({ items = [], runs = [] }) {
      left.items.push(...items)
      left.runs.push(...runs)
      wake()
    },
  }
}
