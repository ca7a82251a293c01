import type { Base } from '../../services.ts'
import type { IncidentRow } from './incident.ts'
import type { IncidentStore } from './incident-store.ts'

/** A write that failed is tried again after this. */
const retryMs = 1000
/** Incidents written in one piece: a thousand servers lost at once must not keep other calls waiting. */
const mostAtOnce = 50

/** Incidents on their way to the database: the newest state of each. */
export interface IncidentWrites {
  add(row: IncidentRow): void
  /** Resolves when all has been written, or could not be. */
  settled(): Promise<void>
  trouble(): string | null
}

/** Nothing to write yet. */
export function createIncidentWrites(
  { clock, log }: Pick<Base, 'clock' | 'log'>,
  store: Pick<IncidentStore, 'save'>,
): IncidentWrites {
  const left = new Map<number, IncidentRow>()
  let writing: Promise<void> | null = null
  let trouble: string | null = null

  async function writeAll() {
    while (left.size > 0) {
      const rows = [...left.values()].slice(0, mostAtOnce)
      try {
        await store.save(rows)
        for (const row of rows) if (left.get(row.id) === row) left.delete(row.id)
        trouble = null
      } catch (error) {
        if (trouble === null) log.error({ err: error }, 'incidents cannot be stored: trying again')
        trouble = 'incidents cannot be stored'
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
    add(row) {
      left.set(row.id, row)
      write()
    },
    async settled() {
      await writing
    },
    trouble: () => trouble,
  }
}
