import type { Reading } from '@qd/core/define'
import { IncidentState } from '@qd/core/resources'
import type { Insertable, Selectable } from 'kysely'
import { jsonOf, listOf } from '../../kernel/json.ts'
import { inSlices, type Slices } from '../../store/db/clearing.ts'
import { excluded } from '../../store/db/columns.ts'
import type { Db, IncidentsTable } from '../../store/db/schema.ts'
import type { Handle } from '../../store/records/commit.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import type { IncidentRow } from './incident.ts'

/** `owner` null: all owners; absent `servers`: all. */
export interface IncidentScope {
  owner: number | null
  servers?: readonly number[]
}

export type IncidentStore = ReturnType<typeof createIncidentStore>

export function createIncidentStore(db: Db) {
  const within = ({ owner, servers }: IncidentScope) =>
    db
      .selectFrom('incidents')
      .$if(owner !== null, (query) => query.where('owner_id', '=', owner))
      .$if(servers !== undefined, (query) => query.where('server_id', 'in', [...(servers ?? []), 0]))

  return {
    async open(): Promise<IncidentRow[]> {
      const rows = await db
        .selectFrom('incidents')
        .selectAll()
        .where('state', '!=', IncidentState.closed)
        .orderBy('id')
        .execute()
      return rows.map(toRow)
    },
    async lastId(): Promise<number> {
      const found = await db.selectFrom('incidents').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return found?.id ?? 0
    },
    async save(handle: Handle, rows: readonly IncidentRow[]): Promise<void> {
      await handle
        .insertInto('incidents')
        .values(rows.map(toColumns))
        .onConflict((conflict) => conflict.column('id').doUpdateSet(excluded(...changing)))
        .execute()
    },
    async list(
      scope: IncidentScope,
      { options, ids, before = Number.MAX_SAFE_INTEGER, offset = 0, limit }: RowsWanted,
    ): Promise<IncidentRow[]> {
      const rows = await within(scope)
        .selectAll()
        .$if(options !== null, (query) => query.where('state', 'in', [...(options ?? []), '']))
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []), 0]))
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toRow)
    },
    async counts(scope: IncidentScope): Promise<Record<string, number>> {
      const rows = await within(scope)
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
    },
    async get(id: number): Promise<IncidentRow | null> {
      const row = await db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toRow(row) : null
    },
    async prune({ before, upTo }: { before: number; upTo: number }, isOver?: Slices['isOver']): Promise<void> {
      const some = db
        .selectFrom('incidents')
        .select('id')
        .where('state', '=', IncidentState.closed)
        .where(({ or, eb }) => or([eb('closed_at', '<', before), eb('id', '<=', upTo)]))
      await inSlices({ rows: 100, ...(isOver && { isOver }) }, async (rows) => {
        const [result] = await db.deleteFrom('incidents').where('id', 'in', some.limit(rows)).execute()
        return Number(result?.numDeletedRows ?? 0)
      })
    },
  }
}

const changing = [
  'updated_at',
  'state',
  'reading',
  'error',
  'closed_at',
  'acked_by',
  'acked_at',
  'silenced_until',
  'quiet',
  'told',
  'runs',
  'responses',
  'notice_pending',
  'tasks_pending',
] as const satisfies readonly (keyof IncidentsTable)[]

function toColumns(row: IncidentRow): Insertable<IncidentsTable> & { id: number } {
  return {
    ...row,
    reading: JSON.stringify(row.reading),
    told: JSON.stringify(row.told),
    runs: JSON.stringify(row.runs),
    responses: JSON.stringify(row.responses),
    quiet: Number(row.quiet),
    notice_pending: Number(row.notice_pending),
    tasks_pending: Number(row.tasks_pending),
  }
}

/** A damaged text counts as empty, so that one bad row doesn't stop the others (S-49). */
function toRow(row: Selectable<IncidentsTable>): IncidentRow {
  return {
    ...row,
    source: row.source as IncidentRow['source'],
    state: row.state as IncidentRow['state'],
    reading: (jsonOf(row.reading) ?? null) as Reading | null,
    told: listOf<IncidentRow['told'][number]>(row.told),
    runs: listOf<number>(row.runs),
    responses: listOf<IncidentRow['responses'][number]>(row.responses),
    quiet: row.quiet === 1,
    notice_pending: row.notice_pending === 1,
    tasks_pending: row.tasks_pending === 1,
  }
}
