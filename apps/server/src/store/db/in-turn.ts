import type Driver from 'better-sqlite3'
import { type DatabaseConnection, type Driver as KyselyDriver, SqliteDialect } from 'kysely'
import type { Journal } from './journal.ts'
import { failure, type Heard, watched } from './storage.ts'

/** What the dialect is made of. */
interface Parts {
  database: Driver.Database
  /** Hears of a full disk. */
  storage?: Heard | undefined
  /** Where it is given, a write is answered for when it is on the disk; else SQLite itself decides when that is. */
  journal?: Journal
}

/**
 * SQLite for Kysely, whose one connection is handed on in the order in which it was asked for. Kysely's own lock wakes
 * everybody who waits each time it is free: a thousand waiting calls then cost half a million wake-ups (issue 11.2).
 */
export class SqliteInTurn extends SqliteDialect {
  readonly #parts: Parts
  /** True if something was written since the connection was handed on. */
  #isChanged = false

  constructor(parts: Parts) {
    super({
      database: watched(parts.database, {
        storage: parts.storage,
        changed: () => {
          this.#isChanged = true
        },
      }),
    })
    this.#parts = parts
  }

  override createDriver(): KyselyDriver {
    const { journal, storage } = this.#parts
    const driver = super.createDriver()
    const turns = createTurns()
    let emptying: Promise<void> | null = null

    async function emptyWhereLong(log: Journal) {
      if (!(await log.isLong())) return
      await turns.taken()
      try {
        await log.empty()
      } finally {
        turns.handOn()
      }
    }
    async function acquireConnection(): Promise<DatabaseConnection> {
      await turns.taken()
      return driver.acquireConnection()
    }
    const releaseConnection = async (connection: DatabaseConnection): Promise<void> => {
      const isChanged = this.#isChanged
      this.#isChanged = false
      await driver.releaseConnection(connection)
      // The next one may work while the disk writes, so that one sync serves all who wrote meanwhile.
      turns.handOn()
      if (!journal || !isChanged) return
      try {
        await journal.toDisk()
      } catch (error) {
        throw failure(error, storage)
      }
      // Not awaited: if the log cannot be emptied it is kept, and the next try follows after more writes.
      emptying ??= emptyWhereLong(journal)
        .catch((error) => void failure(error, storage))
        .finally(() => {
          emptying = null
        })
    }
    async function destroy(): Promise<void> {
      await emptying
      try {
        await journal?.close()
      } finally {
        await driver.destroy()
      }
    }
    const own = { acquireConnection, releaseConnection, destroy }
    return new Proxy(driver, {
      get(target, name) {
        const value = Reflect.get(name in own ? own : target, name) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

/** A lock that goes from one caller to the next in the order in which they asked. */
function createTurns() {
  const waiting: (() => void)[] = []
  let next = 0
  let isTaken = false
  return {
    async taken(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
      isTaken = true
    },
    handOn(): void {
      const resolve = waiting[next]
      if (resolve) {
        next += 1
        resolve()
      } else {
        waiting.length = 0
        next = 0
        isTaken = false
      }
    },
  }
}
