import { isDeepStrictEqual } from 'node:util'
import { defined } from '@qd/core/errors'
import { createListeners } from '../../kernel/listeners.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import { createOrder } from './in-order.ts'
import type { Records, StoreChange, StoredRow } from './rows.ts'
import type { Also, Persist } from './table.ts'

/** Changes run in order: database first, then memory, then listeners. `also` runs in the same transaction. */
export interface MutableRecords<Row extends StoredRow> extends Records<Row> {
  insert(values: Omit<Row, 'id' | 'created_at' | 'updated_at'>, also?: Also<Row>): Promise<Row>
  /** `change` gets the current row in its turn, and may throw. Undefined if the row is gone. */
  update(
    id: number,
    change: (row: Row) => Row,
    about?: Pick<StoreChange<Row>, 'isCleaning'> & { also?: Also<Row> | undefined },
  ): Promise<Row | undefined>
  /** Without a new `updated_at` or a change event. */
  patch(id: number, fields: Partial<Row>): Promise<void>
  patchAll(changes: ReadonlyMap<number, Partial<Row>>): Promise<void>
  /** Returns the removed rows. */
  remove(ids: readonly number[], also?: Also<Row>): Promise<Row[]>
  /** Reads everything again after another store wrote its rows, and announces the changes. */
  reload(): Promise<void>
}

export async function createRecords<Row extends StoredRow>(parts: {
  db: Db
  clock: Clock
  persist: Persist<Row>
  compare(a: Row, b: Row): number
  /** Throws to refuse a new row. */
  admit(row: Pick<Row, 'owner_id'>, rows: Iterable<Row>): void
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
    insert: (values, also) =>
      inTurn(async () => {
        const now = clock.now()
        const complete = { ...values, created_at: now, updated_at: now } as Omit<Row, 'id'>
        admit(complete, rows.values())
        const row = await db.transaction().execute(async (handle) => {
          const made = { ...complete, id: await persist.insert(handle, complete) } as Row
          await also?.(handle, [made])
          return made
        })
        rows.set(row.id, row)
        changed({ id: row.id, before: null, after: row })
        return row
      }),
    update: (id, change, { also, ...about } = {}) =>
      inTurn(async () => {
        const before = rows.get(id)
        if (!before) return undefined
        const after = { ...change(before), updated_at: Math.max(clock.now(), before.updated_at + 1) }
        const { id: _id, created_at: _created, ...fields } = after
        await db.transaction().execute(async (handle) => {
          await persist.update(handle, new Map([[id, fields as Partial<Row>]]))
          await also?.(handle, [after])
        })
        rows.set(id, after)
        changed({ id, before, after, ...about })
        return after
      }),
    patch: (id, fields) => patchAll(new Map([[id, fields]])),
    patchAll,
    remove: (ids, also) =>
      inTurn(async () => {
        const gone = [...new Set(ids)].flatMap((id) => rows.get(id) ?? [])
        if (gone.length === 0) return []
        const goneIds = gone.map((row) => row.id)
        await db.transaction().execute(async (handle) => {
          await persist.remove(handle, goneIds)
          await also?.(handle, gone)
        })
        for (const before of gone) {
          rows.delete(before.id)
          changed({ id: before.id, before, after: null })
        }
        return gone
      }),
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
