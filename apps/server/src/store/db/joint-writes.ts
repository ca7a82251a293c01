import { sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'
import type { Database, Db } from './schema.ts'

const retryMs = 1000
/** Rows per statement: a thousand servers lost at once must not keep others from their turn. */
const slice = 50
/** Rows of one store that wait for the database. */
const maxWaiting = 20_000

type Save<Row> = (db: Transaction<Database>, rows: readonly Row[]) => Promise<void>

/** By keys. */
type Rows = Map<string | number, unknown>

interface Store {
  readonly what: string
  readonly save: Save<unknown>
  waiting: Rows
}

interface Part {
  readonly store: Store
  readonly rows: Rows
}

/** A row that the database refused. */
interface Dropped {
  readonly store: Store
  readonly key: string | number
  readonly error: unknown
}

export type JointWrites = ReturnType<typeof createJointWrites>

/** Writes rows of several stores behind the calls that change them. What is added in one turn of the event loop is one transaction. */
export function createJointWrites({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const stores: Store[] = []
  let last: Promise<readonly Dropped[]> = Promise.resolve([])
  /** What was added in this turn. */
  let added = new Map<Store, Set<string | number>>()
  let isDue = false
  /** Whether a caller waits. */
  let isUrgent = false
  let writeNow = () => {}
  let isOver = false
  let problem: string | null = null

  const isLeft = () => stores.some(({ waiting }) => waiting.size > 0)
  /** Rows of several stores may be added one after the other until the turn ends. */
  const isWhole = () => stores.filter(({ waiting }) => waiting.size > 0).length === 1

  function wake() {
    if (isDue || isOver) return
    isDue = true
    last = last.then(writeNext, writeNext)
    last.catch(() => {})
  }

  async function writeNext() {
    await new Promise<void>((resolve) => {
      writeNow = resolve
      if (isUrgent && isWhole()) resolve()
      else setImmediate(resolve)
    })
    isDue = isUrgent = false
    const batch = stores.map((store): Part => ({ store, rows: store.waiting }))
    for (const store of stores) store.waiting = new Map()
    try {
      const dropped = await write(batch, saveAll).catch((error: unknown) => {
        if (isRefused(error)) return write(batch, saveSingly)
        throw error
      })
      for (const { store, error } of dropped)
        log.error({ err: error }, `dropped one of the ${store.what}: refused by the database`)
      problem = null
      return dropped
    } catch (error) {
      for (const { store, rows } of batch) store.waiting = new Map([...rows, ...store.waiting])
      pause(error)
      throw error
    }
  }

  /** In one transaction. Returns what was dropped. */
  function write(batch: readonly Part[], save: typeof saveAll): Promise<Dropped[]> {
    return db.transaction().execute(async (handle) => {
      const dropped: Dropped[] = []
      for (const { store, rows } of batch) {
        const all = [...rows]
        for (let at = 0; at < all.length; at += slice) {
          if (at > 0) await new Promise((resolve) => setImmediate(resolve))
          dropped.push(...(await save(handle, store, all.slice(at, at + slice))))
        }
      }
      return dropped
    })
  }

  function pause(error: unknown) {
    const what = stores.flatMap((store) => (store.waiting.size > 0 ? store.what : [])).join(', ')
    if (problem === null) log.error({ err: error }, `failed to write ${what}; retrying`)
    problem = `cannot write ${what}`
    clock.after(retryMs, wake)
  }

  return {
    /** Adds a store. `save` gets the newest row of each key. Returns how to add rows. */
    join<Row>(what: string, save: Save<Row>): (key: string | number, row: Row) => void {
      const store: Store = { what, save: save as Save<unknown>, waiting: new Map() }
      stores.push(store)
      return (key, row) => {
        if (isOver) return
        if (added.size === 0)
          setImmediate(() => {
            added = new Map()
          })
        added.set(store, (added.get(store) ?? new Set()).add(key))
        store.waiting.set(key, row)
        if (store.waiting.size > maxWaiting) {
          const [oldest] = store.waiting.keys()
          store.waiting.delete(oldest!)
          log.error(`too many ${what} wait for the database; the oldest was dropped`)
        }
        wake()
      }
    },
    /** Resolves when everything added so far is stored. Rejects with the error of a failed attempt, which is repeated later, and if the database refused what was added in this turn. */
    async stored(): Promise<void> {
      const mine = added
      if (isLeft()) {
        wake()
        // Before a thousand answers of agents have their turn.
        isUrgent = true
        if (isWhole()) writeNow()
      }
      const refusal = (await last).find(({ store, key }) => mine.get(store)?.has(key))
      if (refusal) throw refusal.error
    },
    /** Resolves after the attempt to store everything added so far. */
    async settled(): Promise<void> {
      await last.catch(() => {})
    },
    /** Writes the rest before the stop; later rows are ignored. Rejects if something is left. */
    async finish(): Promise<void> {
      if (isLeft()) wake()
      isOver = true
      await last
    },
    problem: () => problem,
  }
}

async function saveAll(handle: Transaction<Database>, { save }: Store, rows: [string | number, unknown][]) {
  await save(
    handle,
    rows.map(([, row]) => row),
  )
  return [] as Dropped[]
}

/** Without the rows that the database refuses, so that they don't hold up all others. */
async function saveSingly(handle: Transaction<Database>, store: Store, rows: [string | number, unknown][]) {
  const dropped: Dropped[] = []
  for (const [key, row] of rows) {
    await sql`savepoint single`.execute(handle)
    try {
      await store.save(handle, [row])
      await sql`release savepoint single`.execute(handle)
    } catch (error) {
      if (!isRefused(error)) throw error
      await sql`rollback to savepoint single`.execute(handle)
      dropped.push({ store, key, error })
    }
  }
  return dropped
}

/** PostgreSQL's classes of bad data and broken constraints, and what SQLite refuses a row for. */
const refused = /^(2[23]...|SQLITE_(CONSTRAINT|TOOBIG|MISMATCH)\w*)$/

const isRefused = (error: unknown) => refused.test(String((error as { code?: unknown } | null)?.code))
