import type { Selectable } from 'kysely'
import type { Base } from '../../base.ts'
import { excluded, listOf } from '../../store/db/columns.ts'
import type { OutboxTable } from '../../store/db/schema.ts'

/** A notification that is owed: to one notifier, or to a group if it waits for others of its cause. */
export interface Owed extends Omit<Selectable<OutboxTable>, 'incidents'> {
  readonly incidents: readonly number[]
}

/** What is owed is kept in the database, in one transaction with its cause, until its result is recorded. */
export function createOutbox({ db, writes }: Pick<Base, 'db' | 'writes'>) {
  let lastId = 0
  const write = writes.join<{ id: number; owed: Owed | null }>('notifications', async (handle, changes) => {
    const gone = changes.flatMap(({ id, owed }) => (owed === null ? id : []))
    if (gone.length > 0) await handle.deleteFrom('outbox').where('id', 'in', gone).execute()
    const rows = changes.flatMap(({ owed }) => (owed === null ? [] : toColumns(owed)))
    if (rows.length > 0)
      await handle
        .insertInto('outbox')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(excluded('sending')))
        .execute()
  })
  return {
    async load(): Promise<Owed[]> {
      const rows = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
      lastId = rows.at(-1)?.id ?? 0
      return rows.map((row) => ({ ...row, incidents: listOf<number>(row.incidents) }))
    },
    nextId(): number {
      lastId += 1
      return lastId
    },
    put: (owed: Owed): void => write(owed.id, { id: owed.id, owed }),
    remove: (id: number): void => write(id, { id, owed: null }),
  }
}

const toColumns = (owed: Owed) => ({ ...owed, incidents: JSON.stringify(owed.incidents) })
