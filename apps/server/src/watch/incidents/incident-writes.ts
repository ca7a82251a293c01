import type { Base } from '../../base.ts'
import { createWriteBehind, type WriteBehind } from '../../store/db/write-behind.ts'
import type { IncidentRow } from './incident.ts'
import type { IncidentStore } from './incident-store.ts'

/** Incidents written in one piece: a thousand servers lost at once must not keep other calls waiting. */
const mostAtOnce = 50

/** Incidents on their way to the database: the newest state of each. */
export interface IncidentWrites extends Pick<WriteBehind, 'settled' | 'finish' | 'trouble'> {
  add(row: IncidentRow): void
}

/** Nothing to write yet. */
export function createIncidentWrites(
  base: Pick<Base, 'clock' | 'log'>,
  store: Pick<IncidentStore, 'save'>,
): IncidentWrites {
  const left = new Map<number, IncidentRow>()
  const { wake, ...writer } = createWriteBehind(base, {
    what: 'incidents',
    isLeft: () => left.size > 0,
    async writeSome() {
      const rows = [...left.values()].slice(0, mostAtOnce)
      await store.save(rows)
      for (const row of rows) if (left.get(row.id) === row) left.delete(row.id)
    },
  })
  return {
    ...writer,
    add(row) {
      left.set(row.id, row)
      wake()
    },
  }
}
