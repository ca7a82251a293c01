import { isDeepStrictEqual } from 'node:util'
import { defined } from '@qd/core/errors'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import { type Also, commit, createOrder, type Step } from './commit.ts'
import type { Records, StoreChange, StoredRow } from './rows.ts'
import type { Persist } from './table.ts'

type New<Row> = Omit<Row, 'id' | 'created_at' | 'updated_at'>
type About<Row> = Pick<StoreChange<Row>, 'isCleaning'>

/** Changes run in order: database first, then memory, then listeners. `also` runs in the same transaction. */
export interface MutableRecords<Row extends StoredRow> extends Records<Row> {
  insert(values: New<Row>, also?: Also<Row>): Promise<Row>
  /** `change` gets the current row in its turn, and may throw. Undefined if the row is gone. */
  update(
    id: number,
    change: (row: Row) => Row,
    about?: About<Row> & { also?: Also<Row> | undefined },
  ): Promise<Row | undefined>
  /** Steps of a larger transaction; the lists are asked for in turn. IDs of rows that are gone are left out. */
  inserting(values: () => readonly New<Row>[]): Step<Row>
  updating(ids: () => readonly number[], change: (row: Row) => Row, about?: About<Row>): Step<Row>
  /** Without a new `updated_at` or a change event. */
  patch(id: number, fields: Partial<Row>): Promise<void>
  patchAll(changes: ReadonlyMap<number, Partial<Row>>): Promise<void>
  /** Returns the removed rows. */
  remove(ids: readonly number[], also?: Also<Row>): Promise<readonly Row[]>
  /** Reads everything again after another store wrote its rows, and announces the changes. */
  reload(): Promise<void>
}

export async function createRecords<Row extends StoredRow>(parts: {
  db: Db
  clock: Clock
  persist: Persist<Row>
  compare(a: Row, b: Row): number
  /** Throws to refuse a new row. */
  admit(row: Pick<Row, 'owner_id'>, rows: Iterable<Pick<Row, 'owner_id'>>): void
}): Promise<MutableRecords<Row>> {
  const { db, clock, persist, compare, admit } = parts
  const rows = new Map<number, Row>()
  const listeners = createListeners<[StoreChange<Row>]>()
  let sorted: readonly Row[] | null = null
  let version = 1
  /** Writers take turns, so that a check of the current row holds until it is written. */
  const inTurn = createOrder()

  function touch() {
    sorted = null
    version += 1
  }

  function changed(change: StoreChange<Row>) {
    touch()
    listeners.notify(change)
  }

  async function load() {
    const loaded = await persist.load(db)
    rows.clear()
    for (const row of loaded) rows.set(row.id, row)
    touch()
  }

  const known = (ids: Iterable<number>) => [...new Set(ids)].flatMap((id) => rows.get(id) ?? [])

  const inserting = (values: () => readonly New<Row>[]): Step<Row> => ({
    inTurn,
    plan() {
      const now = clock.now()
      const fresh: Omit<Row, 'id'>[] = []
      function* all() {
        yield* rows.values()
        yield* fresh
      }
      for (const one of values()) {
        const complete = { ...one, created_at: now, updated_at: now } as Omit<Row, 'id'>
        admit(complete, all())
        fresh.push(complete)
      }
      if (fresh.length === 0) return null
      return async (handle) => {
        const made: Row[] = []
        for (const one of fresh) made.push({ ...one, id: await persist.insert(handle, one) } as Row)
        return {
          rows: made,
          done() {
            for (const row of made) rows.set(row.id, row)
            for (const row of made) changed({ id: row.id, before: null, after: row })
          },
        }
      }
    },
  })

  const updating: MutableRecords<Row>['updating'] = (ids, change, about = {}) => ({
    inTurn,
    plan() {
      const changes = known(ids()).map((before) => {
        const after = { ...change(before), updated_at: Math.max(clock.now(), before.updated_at + 1) }
        return { id: before.id, before, after, ...about }
      })
      if (changes.length === 0) return null
      return async (handle) => {
        const fields = changes.map(
          ({ id, after: { id: _id, created_at: _created, ...fields } }) => [id, fields] as const,
        )
        await persist.update(handle, new Map(fields as [number, Partial<Row>][]))
        return {
          rows: changes.map(({ after }) => after),
          done() {
            for (const { id, after } of changes) rows.set(id, after)
            for (const one of changes) changed(one)
          },
        }
      }
    },
  })

  const patchAll = (changes: ReadonlyMap<number, Partial<Row>>) =>
    inTurn(async () => {
      const known = new Map([...changes].filter(([id]) => rows.has(id)))
      if (known.size === 0) return
      await db.transaction().execute((handle) => persist.update(handle, known))
      for (const [id, fields] of known) rows.set(id, { ...defined(rows.get(id)), ...fields })
      touch()
    })

  await load()
  return {
    all() {
      sorted ??= [...rows.values()].sort(compare)
      return sorted
    },
    find: (id) => rows.get(id),
    version: () => version,
    onChange: listeners.add,
    inserting,
    updating,
    insert: async (values, also) => defined((await commit(db, [inserting(() => [values])], also))[0]),
    update: async (id, change, { also, ...about } = {}) =>
      (await commit(db, [updating(() => [id], change, about)], also))[0],
    patch: (id, fields) => patchAll(new Map([[id, fields]])),
    patchAll,
    remove(ids, also) {
      const step: Step<Row> = {
        inTurn,
        plan() {
          const gone = known(ids)
          if (gone.length === 0) return null
          return async (handle) => {
            await persist.remove(
              handle,
              gone.map(({ id }) => id),
            )
            return {
              rows: gone,
              done() {
                for (const before of gone) {
                  rows.delete(before.id)
                  changed({ id: before.id, before, after: null })
                }
              },
            }
          }
        },
      }
      return commit(db, [step], also)
    },
    reload: () =>
      inTurn(async () => {
        const known = new Map(rows)
        await load()
        for (const after of rows.values()) {
          const { id } = after
          const before = known.get(id) ?? null
          if (!isDeepStrictEqual(before, after)) changed({ id, before, after })
        }
      }),
  }
}
