import { PGlite } from '@electric-sql/pglite'
import Driver from 'better-sqlite3'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, SqliteDialect } from 'kysely'
import type { Engine } from '../../../apps/server/src/store/db/columns.ts'
import { migrate } from '../../../apps/server/src/store/db/migrate.ts'
import type { Database, Db } from '../../../apps/server/src/store/db/schema.ts'

/** An empty database of this version's schema, or of the one that ended with `last`, in memory. For tests. */
export async function openForTest(engine: Engine, last?: string): Promise<Db> {
  const dialect =
    engine === 'sqlite'
      ? new SqliteDialect({ database: new Driver(':memory:') })
      : new PostgresDialect({ pool: await createPool() })
  const db = new Kysely<Database>({ dialect })
  await migrate(db, engine, last)
  return db
}

/** To make one takes seconds on a busy machine, to empty it milliseconds: the databases of a test file are one after the other. */
let shared: Promise<PGlite> | null = null
let isTaken = false

/** One PGlite as a pool of one connection: who comes while it is taken waits. */
async function createPool(): Promise<PostgresPool> {
  const isShared = !isTaken
  const make = () => PGlite.create({ parsers: { 20: Number, 1700: Number } })
  if (isShared) {
    isTaken = true
    shared ??= make()
  }
  const pglite = await (isShared && shared ? shared : make())
  let free: Promise<void> = Promise.resolve()
  return {
    async connect() {
      const before = free
      let release = () => {}
      free = new Promise((resolve) => {
        release = resolve
      })
      await before
      const query = async (sql: string, parameters?: readonly unknown[]) => {
        const { rows, affectedRows } = await pglite.query(sql, [...(parameters ?? [])])
        return { rows, rowCount: affectedRows ?? 0, command: sql.trim().split(/\s/)[0]!.toUpperCase() }
      }
      return { query, release } as unknown as PostgresPoolClient
    },
    async end() {
      if (!isShared) return pglite.close()
      await pglite.exec('drop schema public cascade; create schema public')
      isTaken = false
    },
  }
}
