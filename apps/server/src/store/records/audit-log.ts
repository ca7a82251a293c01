import type { AuditChange, AuditResult } from '@qd/core/resources'
import type { Selectable } from 'kysely'
import { inSlices, type Slices } from '../db/clearing.ts'
import { listOf } from '../db/columns.ts'
import type { AuditTable, Db } from '../db/schema.ts'
import type { RowsWanted } from './pages.ts'

/** An entry as it is stored. */
export interface AuditRow extends Omit<Selectable<AuditTable>, 'changes' | 'result'> {
  readonly result: keyof typeof AuditResult
  readonly changes: readonly AuditChange[]
}

/** The audit log as it is read. */
export interface AuditLog {
  /** Newest first; the options are results. */
  list(wanted: RowsWanted): Promise<AuditRow[]>
  /** How many there are per result. */
  counts(): Promise<Record<string, number>>
  get(id: number): Promise<AuditRow | null>
  /** Forgets what is from before `before` (epoch ms), and all but the newest `most`. */
  prune(limits: { before: number; most: number }, isOver?: Slices['isOver']): Promise<void>
}

/** Queries over the table `audit`. */
export function createAuditLog(db: Db): AuditLog {
  return {
    async list({ options, ids, before, offset = 0, limit }) {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .$if(options !== null, (query) => query.where('result', 'in', [...(options ?? []), '']))
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []), 0]))
        .$if(before !== undefined, (query) => query.where('id', '<', before!))
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toRow)
    },
    async counts() {
      const rows = await db
        .selectFrom('audit')
        .select(({ fn }) => ['result', fn.countAll<number>().as('count')])
        .groupBy('result')
        .execute()
      return Object.fromEntries(rows.map(({ result, count }) => [result, Number(count)]))
    },
    async get(id) {
      const row = await db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toRow(row) : null
    },
    async prune({ before, most }, isOver) {
      const newest = await db.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const upTo = (newest?.id ?? 0) - most
      await inSlices({ rows: 500, ...(isOver && { isOver }) }, async (rows) => {
        // Entries are in the order of their times: where the oldest ones stay, all do.
        const oldest = await db.selectFrom('audit').select(['id', 'at']).orderBy('id').limit(rows).execute()
        const gone = oldest.filter(({ id, at }) => at < before || id <= upTo).map(({ id }) => id)
        if (gone.length > 0) await db.deleteFrom('audit').where('id', 'in', gone).execute()
        return gone.length
      })
    },
  }
}

function toRow({ changes, result, ...row }: Selectable<AuditTable>): AuditRow {
  return { ...row, result: result as AuditRow['result'], changes: listOf<AuditChange>(changes) }
}
