import {
  ItemState,
  messageOf,
  NoAnswerReason,
  type Rollout,
  type RunCounts,
  type RunItem,
  reasonOf,
  runCounts,
  runStateOf,
} from '@qd/core/resources'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Base } from '../../base.ts'
import { jsonOf } from '../../kernel/json.ts'
import { inSlices, type Slices } from '../../store/db/clearing.ts'
import type { Db, RunItemsTable, RunsTable } from '../../store/db/schema.ts'
import { updateRows } from '../../store/db/update-rows.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import type { AlsoStored, RunRow, RunScope } from './run-types.ts'

/** Times are epoch ms. */
export interface RunChanges {
  items: (Updateable<RunItemsTable> & { id: number })[]
  runs: (Updateable<RunsTable> & { id: number })[]
}

export interface UnfinishedItem {
  id: number
  server_id: number
  state: ItemState
  started_at: number | null
  version_before: string
}

export type RunStore = ReturnType<typeof createRunStore>

export type NewRun = Omit<Insertable<RunsTable>, 'id' | 'state' | 'counts'>
export type NewItem = Omit<Insertable<RunItemsTable>, 'id' | 'run_id'>

/** Parts per statement: SQLite takes 32,766 parameters. */
const chunkSize = 500
/** Maximum output per answer, shared by the run's parts. */
const answerBytes = 8 * 1024 * 1024

const noCounts: RunCounts = { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }

export function countStates(states: readonly { state: string; count?: number }[]): RunCounts {
  const counts = { ...noCounts }
  for (const { state, count = 1 } of states) {
    if (state in counts) counts[state as ItemState] += count
  }
  return counts
}

export function createRunStore(db: Db) {
  async function countsOf(ids: readonly number[]): Promise<Map<number, RunCounts>> {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('run_items')
      .select(({ fn }) => ['run_id', 'state', fn.countAll<number>().as('count')])
      .where('run_id', 'in', ids)
      .groupBy(['run_id', 'state'])
      .execute()
    const states = rows.map((row) => ({ ...row, count: Number(row.count) }))
    return new Map(ids.map((id) => [id, countStates(states.filter(({ run_id }) => run_id === id))]))
  }

  async function deleteItems(run: number, rows: number): Promise<number> {
    const some = db.selectFrom('run_items').select('id').where('run_id', '=', run).limit(rows)
    const [result] = await db.deleteFrom('run_items').where('id', 'in', some).execute()
    return Number(result?.numDeletedRows ?? 0)
  }

  return {
    insert: (run: NewRun, items: readonly NewItem[], also?: AlsoStored) =>
      db.transaction().execute(async (handle) => {
        const summary = summaryOf(countStates(items), readRollout(run.rollout))
        const { id } = await handle
          .insertInto('runs')
          .values({ ...run, ...summary })
          .returning('id')
          .executeTakeFirstOrThrow()
        const itemIds = new Map<number, number>()
        for (let from = 0; from < items.length; from += chunkSize) {
          const rows = items.slice(from, from + chunkSize).map((item) => ({ ...item, run_id: id }))
          const stored = await handle.insertInto('run_items').values(rows).returning(['id', 'server_id']).execute()
          for (const row of stored) itemIds.set(row.server_id, row.id)
        }
        await also?.(handle, id)
        return { id, itemIds }
      }),
    change: ({ items, runs }: RunChanges): Promise<void> =>
      db.transaction().execute(async (handle) => {
        await updateRows(handle, 'run_items', items)
        await updateRows(handle, 'runs', runs)
      }),
    async unfinished(kind: RunRow['kind']): Promise<{ run: RunRow; items: UnfinishedItem[] }[]> {
      const runs = await db
        .selectFrom('runs')
        .selectAll()
        .where('kind', '=', kind)
        .where('finished_at', 'is', null)
        .execute()
      const counts = await countsOf(runs.map(({ id }) => id))
      const items = await db
        .selectFrom('run_items')
        .select(['id', 'run_id', 'server_id', 'state', 'started_at', 'version_before'])
        .where('run_id', 'in', counts.size > 0 ? [...counts.keys()] : [0])
        .where('state', 'in', [ItemState.waiting, ItemState.sent, ItemState.running])
        .orderBy('id')
        .execute()
      return runs.map((run) => ({
        run: { ...toRow(run), counts: counts.get(run.id) ?? noCounts },
        items: items
          .filter(({ run_id }) => run_id === run.id)
          .map(({ run_id: _run, state, ...item }) => ({ ...item, state: state as ItemState })),
      }))
    },
    /** Closes parts left open by an earlier process, except of these runs. */
    async closeLost(now: number, except: readonly number[]): Promise<void> {
      await db
        .updateTable('run_items')
        .set({ state: ItemState.noAnswer, reason: NoAnswerReason.lost, finished_at: now })
        .where('state', 'in', [ItemState.sent, ItemState.running])
        .$if(except.length > 0, (query) => query.where('run_id', 'not in', except))
        .execute()
      const lost = await db
        .selectFrom('runs')
        .select(['id', 'rollout'])
        .where('finished_at', 'is', null)
        .$if(except.length > 0, (query) => query.where('id', 'not in', except))
        .execute()
      const counts = await countsOf(lost.map(({ id }) => id))
      for (const { id, rollout } of lost) {
        const summary = summaryOf(counts.get(id) ?? noCounts, readRollout(rollout))
        await db
          .updateTable('runs')
          .set({ finished_at: now, updated_at: now, ...summary })
          .where('id', '=', id)
          .execute()
      }
    },
    async list(
      { owner }: RunScope,
      { options, ids, before = Number.MAX_SAFE_INTEGER, offset = 0, limit }: RowsWanted,
    ): Promise<RunRow[]> {
      const runs = await db
        .selectFrom('runs')
        .selectAll()
        .$if(owner !== null, (query) => query.where('owner_id', '=', owner))
        .$if(options !== null, (query) => query.where('state', 'in', [...(options ?? []), '-']))
        .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? []), 0]))
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return runs.map(toRow)
    },
    async counts({ owner }: RunScope): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('runs')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .$if(owner !== null, (query) => query.where('owner_id', '=', owner))
        .groupBy('state')
        .execute()
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
    },
    /** The program of each server of a run that has its own. */
    async programsOf(id: number): Promise<ReadonlyMap<number, readonly string[]>> {
      const items = await db
        .selectFrom('run_items')
        .select(['server_id', 'program'])
        .where('run_id', '=', id)
        .where('program', '<>', '')
        .execute()
      return new Map(items.map(({ server_id, program }) => [server_id, JSON.parse(program) as string[]]))
    },
    async get(id: number): Promise<{ run: RunRow; items: (RunItem & { id: number })[] } | null> {
      const run = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
      if (!run) return null
      const all = await db
        .selectFrom('run_items')
        .select([
          'id',
          'server_id',
          'server_name',
          'state',
          'exit_code',
          'started_at',
          'duration_ms',
          'cut_bytes',
          'lines',
          'reason',
        ])
        .where('run_id', '=', id)
        .orderBy('id')
        .execute()
      const share = Math.floor(answerBytes / Math.max(1, all.length))
      const outputs = await db
        .selectFrom('run_items')
        .select([
          'id',
          sql<string>`substr(output, 1, ${share})`.as('shown'),
          sql<number>`octet_length(output)`.as('bytes'),
        ])
        .where('run_id', '=', id)
        .where('output', '<>', '')
        .execute()
      const shownOf = new Map(outputs.map(({ id: item, shown, bytes }) => [item, { shown, bytes: Number(bytes) }]))
      const items = all.map((item) => toItem(item, shownOf.get(item.id)))
      return { run: { ...toRow(run), counts: countStates(items) }, items }
    },
    async prune({ before, most }: { before: number; most: number }, isOver?: Slices['isOver']): Promise<void> {
      const slices: Slices = { rows: 25, ...(isOver && { isOver }) }
      const oldest = await db
        .selectFrom('runs')
        .select('id')
        .orderBy('id', 'desc')
        .offset(most)
        .limit(1)
        .executeTakeFirst()
      let last = 0
      await inSlices(slices, async (rows) => {
        const old = await db
          .selectFrom('runs')
          .select('id')
          .where((where) => where.or([where('finished_at', '<', before), where('id', '<=', oldest?.id ?? 0)]))
          .where('finished_at', 'is not', null)
          .where('id', '>', last)
          .orderBy('id')
          .limit(rows)
          .execute()
        for (const { id } of old) {
          await inSlices(slices, (rows) => deleteItems(id, rows))
          if (isOver?.()) return 0
          await db.deleteFrom('runs').where('id', '=', id).execute()
        }
        last = old.at(-1)?.id ?? last
        return old.length
      })
    },
  }
}

function toRow(run: Selectable<RunsTable>): RunRow {
  const { kind, rollout, state: _state, counts, ...fields } = run
  return {
    ...fields,
    kind: kind as RunRow['kind'],
    rollout: readRollout(rollout),
    counts: runCounts().parse(jsonOf(counts)),
  }
}

const readRollout = (text: string | null | undefined): Rollout => (text ? JSON.parse(text) : null)

export function summaryOf(counts: RunCounts, rollout: Rollout): Pick<Selectable<RunsTable>, 'state' | 'counts'> {
  return { state: runStateOf(counts, rollout), counts: JSON.stringify(counts) }
}

type StoredItem = Omit<Selectable<RunItemsTable>, 'run_id' | 'output' | 'finished_at' | 'version_before' | 'program'>

function toItem(item: StoredItem, output: { shown: string; bytes: number } | undefined): RunItem & { id: number } {
  const shown = output?.shown ?? ''
  const state = item.state as ItemState
  const part = { state, reason: item.reason as RunItem['reason'], exit_code: item.exit_code, output: shown }
  return {
    ...item,
    state,
    reason: reasonOf(part),
    message: messageOf(part),
    started_at: item.started_at === null ? null : new Date(item.started_at).toISOString(),
    output: shown,
    cut_bytes: item.cut_bytes + (output ? output.bytes - Buffer.byteLength(shown) : 0),
  }
}

/** Parts per write: a thousand answers at once must not delay other calls. */
const maxAtOnce = 50
const retryMs = 1000

export type RunWrites = ReturnType<typeof createRunWrites>

/** Writes results behind the calls that bring them. A failed write loses nothing and is repeated. */
export function createRunWrites({ clock, log }: Pick<Base, 'clock' | 'log'>, store: RunStore) {
  const left: RunChanges = { items: [], runs: [] }
  let writing: Promise<void> | null = null
  let problem: string | null = null
  const isLeft = () => left.items.length + left.runs.length > 0

  async function writeAll() {
    while (isLeft()) {
      const items = left.items.splice(0, maxAtOnce)
      const runs = left.items.length > 0 ? [] : left.runs.splice(0)
      try {
        await store.change({ items, runs })
        problem = null
      } catch (error) {
        left.items.unshift(...items)
        left.runs.unshift(...runs)
        if (problem === null) log.error({ err: error }, 'failed to write run results; retrying')
        problem = 'cannot write run results'
        clock.after(retryMs, wake)
        break
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    writing = null
  }

  function wake() {
    writing ??= Promise.resolve().then(writeAll)
  }

  return {
    add({ items = [], runs = [] }: Partial<RunChanges>): void {
      left.items.push(...items)
      left.runs.push(...runs)
      wake()
    },
    async settled(): Promise<void> {
      await writing
    },
    /** Writes the rest before the stop. Rejects if something is left. */
    async finish(): Promise<void> {
      await writing
      if (isLeft()) throw new Error('failed to write run results')
    },
    problem: () => problem,
  }
}
