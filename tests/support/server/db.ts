import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import Driver from 'better-sqlite3'
import { Kysely, type PostgresPool, type PostgresPoolClient, SqliteDialect } from 'kysely'
import type { Engine } from '../../../apps/server/src/store/db/columns.ts'
import { migrate } from '../../../apps/server/src/store/db/migrate.ts'
import * as postgres from '../../../apps/server/src/store/db/postgres-pool.ts'
import type { Database, Db } from '../../../apps/server/src/store/db/schema.ts'
import { databaseOf, dropDatabaseOf } from '../test-database.ts'

/** An empty database of this version's schema, or of the one that ended with `last`, in memory. For tests. */
export async function openForTest(engine: Engine, last?: string): Promise<Db> {
  const db =
    engine === 'sqlite'
      ? new Kysely<Database>({ dialect: new SqliteDialect({ database: new Driver(':memory:') }) })
      : postgres.overPool<Database>((await realPool()) ?? (await createPool()))
  await migrate(db, engine, last)
  return db
}

/** On a database of the cluster of the run, if it has one. */
async function realPool(): Promise<PostgresPool | null> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-db-'))
  const url = databaseOf(folder)
  if (url === null) {
    rmdirSync(folder)
    return null
  }
  const place = { url, session: 'test', held: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) }
  const pool = await postgres.createPool(place, { min: 0, max: 1, isTaken: () => false })
  return {
    connect: () => pool.connect(),
    async end() {
      await pool.end()
      dropDatabaseOf(folder)
      rmdirSync(folder)
    },
  } as PostgresPool
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
