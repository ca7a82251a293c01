import type { Transaction } from 'kysely'
import type { Database, Db } from '../db/schema.ts'

export type Handle = Db | Transaction<Database>

/** Runs in the transaction of a change. `rows`: as they are stored then; the removed ones of a removal. */
export type Also<Row> = (db: Handle, rows: readonly Row[]) => Promise<void> | undefined

interface Written<Row> {
  /** As for `Also`. */
  readonly rows: readonly Row[]
  /** Changes memory as the database was changed, and notifies listeners. */
  done(): void
}

/** A store's part of a transaction. */
export interface Step<Row> {
  /** Waits for the store's turn, which ends after the transaction; absent if the store has none. */
  inTurn?<T>(work: () => Promise<T>): Promise<T>
  /** Checks, in turn, and returns what writes; null if there is nothing to change. */
  plan(): ((db: Handle) => Promise<Written<Row>>) | null
}

/**
 * Changes one or several stores in one transaction, then memory. All turns are taken before, so that no transaction waits for one: in the order of
 * `steps`, which must be the same wherever the same stores meet. Nothing changes if the first step has nothing to change. Returns its rows.
 */
export async function commit<Row>(
  db: Db,
  [first, ...others]: readonly [Step<Row>, ...Step<unknown>[]],
  also?: Also<Row>,
): Promise<readonly Row[]> {
  async function work() {
    const write = first.plan()
    if (write === null) return []
    const more = others.flatMap((step) => step.plan() ?? [])
    const written = await db.transaction().execute(async (handle) => {
      const own = await write(handle)
      const rest = []
      for (const one of more) rest.push(await one(handle))
      if (own.rows.length > 0) await also?.(handle, own.rows)
      return { own, rest }
    })
    for (const { done } of [written.own, ...written.rest]) done()
    return written.own.rows
  }
  const inTurns = [first, ...others].reduceRight<() => Promise<readonly Row[]>>(
    (inner, { inTurn }) => (inTurn ? () => inTurn(inner) : inner),
    work,
  )
  return inTurns()
}

/** Runs work in order, so that what it has checked holds until it has written. A failure doesn't stop the next. */
export function createOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }
}
