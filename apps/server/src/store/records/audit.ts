import type { AnyRow, Resource } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import type { AuditChange, AuditResult } from '@qd/core/resources'
import type { Insertable, Selectable } from 'kysely'
import type { Caller } from '../../kernel/caller.ts'
import { listOf } from '../../kernel/json.ts'
import type { Clock } from '../../kernel/ports.ts'
import { inSlices, type Slices } from '../db/clearing.ts'
import type { JointWrites } from '../db/joint-writes.ts'
import type { AuditTable, Db } from '../db/schema.ts'
import type { Also, Handle } from './commit.ts'
import type { RowsWanted } from './pages.ts'

export interface Audit {
  /** Stores the entry of a change in the transaction of that change. */
  write(db: Handle, entry: AuditEntry): Promise<void>
  /** Stores the entry later. */
  record(entry: AuditEntry): void
  /** Resolves when what was recorded is stored. Rejects if it can't be stored now. */
  stored(): Promise<void>
}

/** Stores the audit entry of a change in its transaction. `after`: the records as they are stored then; absent if none of them changes. */
export type Note = (db: Handle, after?: readonly AnyRow[]) => Promise<void>

/** How an entry gets the records that a change leaves, as `stored` has them. */
export const notedAs =
  <Row>(stored: (row: Row) => AnyRow) =>
  (note: Note | undefined): Also<Row> =>
  async (db, rows) =>
    note?.(db, rows.map(stored))

/** `names`: of the records whose IDs are in `target`. */
export interface AuditEntry {
  caller: Caller | null
  action: string
  target?: string
  result: 'ok' | 'refused' | 'failed'
  names?: string
  changes?: readonly AuditChange[]
}

const maxText = 256

export async function createAudit(parts: { db: Db; clock: Clock; writes: JointWrites }): Promise<Audit> {
  const { clock, writes } = parts
  const newest = await parts.db
    .selectFrom('audit')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  // Counted here: transactions that run at once must not find the same next ID.
  let last = Number(newest?.id ?? 0)
  const add = writes.join<Insertable<AuditTable>>('audit entries', async (db, rows) => {
    await db
      .insertInto('audit')
      .values([...rows])
      // The first attempt may be stored although its answer was lost.
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  })

  function rowOf({ caller, action, target = '', result, names = '', changes = [] }: AuditEntry) {
    last += 1
    return {
      id: last,
      at: clock.now(),
      user_id: caller?.viewer.id ?? 0,
      username: nameOf(caller),
      action,
      target: target.slice(0, maxText),
      result,
      address: caller?.address ?? '',
      names: names.slice(0, maxText),
      changes: JSON.stringify(changes),
    }
  }
  return {
    async write(db, entry) {
      await db.insertInto('audit').values(rowOf(entry)).execute()
    },
    record(entry) {
      const row = rowOf(entry)
      add(row.id, row)
    },
    stored: writes.stored,
  }
}

function nameOf(caller: Caller | null): string {
  if (!caller) return ''
  const { viewer, token } = caller
  return token ? `${viewer.username} (${token.name})` : viewer.username
}

export interface AuditRow extends Omit<Selectable<AuditTable>, 'changes' | 'result'> {
  readonly result: keyof typeof AuditResult
  readonly changes: readonly AuditChange[]
}

export function createAuditLog(db: Db) {
  return {
    async list({ options, ids, before = Number.MAX_SAFE_INTEGER, offset = 0, limit }: RowsWanted): Promise<AuditRow[]> {
      const rows = await db
        .selectFrom('audit')
        .selectAll()
        .$if(options !== null, (query) => query.where('result', 'in', [...(options ?? []), '']))
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []), 0]))
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toRow)
    },
    async counts(): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('audit')
        .select(({ fn }) => ['result', fn.countAll<number>().as('count')])
        .groupBy('result')
        .execute()
      return Object.fromEntries(rows.map(({ result, count }) => [result, Number(count)]))
    },
    async get(id: number): Promise<AuditRow | null> {
      const row = await db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? toRow(row) : null
    },
    async prune({ before, most }: { before: number; most: number }, isOver?: Slices['isOver']): Promise<void> {
      const newest = await db.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
      const upTo = (newest?.id ?? 0) - most
      await inSlices({ rows: 500, ...(isOver && { isOver }) }, async (rows) => {
        // Entries are ordered by time: if the oldest stay, all do.
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

/** Shows that a secret changed, never its value. */
const hidden = '***'
/** In characters of JSON. */
const longest = 500
const most = 100

/** Differences in the editable fields of records. Of a created or deleted record: its non-empty fields. */
export function changesOf(
  resource: Pick<Resource, 'fields' | 'initial' | 'title'>,
  before: readonly AnyRow[],
  after: readonly AnyRow[],
): AuditChange[] {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  return ids
    .flatMap((id) => {
      const [old, now] = [before, after].map((rows) => rows.find((row) => row.id === id))
      const name = nameIn(resource, now ?? defined(old))
      return Object.keys(resource.initial)
        .filter((field) => !same(old?.[field], now?.[field]))
        .map((field) => {
          const isSecret = resource.fields[field]?.kind === 'secret'
          const said = (row: AnyRow | undefined) => (row === undefined ? null : kept(row[field], isSecret))
          return { id, name, field, before: said(old), after: said(now) }
        })
    })
    .slice(0, most)
}

export function namesOf(resource: Pick<Resource, 'title'>, rows: readonly AnyRow[]): string {
  return rows.map((row) => nameIn(resource, row)).join(', ')
}

const nameIn = ({ title }: Pick<Resource, 'title'>, row: AnyRow) => String(row[title] ?? '')

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || value === false || value === 0 || text(value) === '[]'

const text = (value: unknown) => JSON.stringify(value) ?? ''

const same = (a: unknown, b: unknown) => (isNothing(a) && isNothing(b)) || text(a) === text(b)

function kept(value: unknown, isSecret: boolean): unknown {
  if (isSecret) return isNothing(value) ? '' : hidden
  const whole = typeof value === 'string' ? value : text(value)
  return whole.length > longest ? `${whole.slice(0, longest)}…` : (value ?? '')
}
