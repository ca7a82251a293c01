import type { Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'
import type { Database, Db } from './schema.ts'

const retryMs = 1000
/** Rows per statement: a thousand servers lost at once must not keep others from their turn. */
const slice = 50
/** Rows of one store that wait for the database. */
const maxWaiting = 20_000

type Save<Row> = (db: Transaction<Database>, rows: readonly Row[]) => Promise<void>

interface Store {
  readonly what: string
  readonly save: Save<unknown>
  waiting: Map<unknown, unknown>
}

export type JointWrites = ReturnType<typeof createJointWrites>

/** Writes rows of several stores behind the calls that change them. What is added in one turn of the event loop is one transaction. */
export function createJointWrites({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
  const stores: Store[] = []
  let last = Promise.resolve()
  let isDue = false
  let isOver = false
  let problem: string | null = null

  const isLeft = () => stores.some(({ waiting }) => waiting.size > 0)

  function wake() {
    if (isDue || isOver) return
    isDue = true
    last = last.catch(() => {}).then(writeNext)
    last.catch(() => {})
  }

  async function writeNext() {
    await new Promise((resolve) => setImmediate(resolve))
    isDue = false
    const batch = stores.map((store) => ({ store, rows: [...store.waiting] }))
    for (const store of stores) store.waiting = new Map()
    try {
      await write(batch.map(({ store, rows }) => ({ store, rows: rows.map(([, row]) => row) })))
      problem = null
    } catch (error) {
      const left = isRefused(error) ? await writeSingly(batch) : batch
      for (const { store, rows } of left) store.waiting = new Map([...rows, ...store.waiting])
      if (isLeft()) pause(error)
      throw error
    }
  }

  async function write(batch: readonly { store: Store; rows: readonly unknown[] }[]) {
    await db.transaction().execute(async (handle) => {
      for (const { store, rows } of batch) {
        for (let at = 0; at < rows.length; at += slice) {
          if (at > 0) await new Promise((resolve) => setImmediate(resolve))
          await store.save(handle, rows.slice(at, at + slice))
        }
      }
    })
  }

  /** Without the row that the database refuses, so that it doesn't hold up all others. Returns what is left to retry. */
  async function writeSingly(batch: readonly { store: Store; rows: [unknown, unknown][] }[]) {
    const left: { store: Store; rows: [unknown, unknown][] }[] = []
    for (const { store, rows } of batch) {
      for (const entry of rows) {
        try {
          await write([{ store, rows: [entry[1]] }])
        } catch (error) {
          if (isRefused(error)) log.error({ err: error }, `dropped one of the ${store.what}: refused by the database`)
          else left.push({ store, rows: [entry] })
        }
      }
    }
    return left
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
        store.waiting.set(key, row)
        if (store.waiting.size > maxWaiting) {
          const [oldest] = store.waiting.keys()
          store.waiting.delete(oldest)
          log.error(`too many ${what} wait for the database; the oldest was dropped`)
        }
        wake()
      }
    },
    /** Resolves when everything added so far is stored. Rejects with the error of a failed attempt, which is repeated later. */
    stored(): Promise<void> {
      if (isLeft()) wake()
      return last
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

/** PostgreSQL's classes of bad data and broken constraints, and what SQLite refuses a row for. */
const refused = /^(2[23]...|SQLITE_(CONSTRAINT|TOOBIG|MISMATCH)\w*)$/

const isRefused = (error: unknown) => refused.test(String((error as { code?: unknown } | null)?.code))
