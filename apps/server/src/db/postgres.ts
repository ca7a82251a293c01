import { Kysely, PostgresDialect } from 'kysely'
import { Refusal } from '../refusal.ts'
import { migrate } from './migrate.ts'
import type { Database, Db } from './schema.ts'

/** Any number that is ours alone: one server per database. */
const lockKey = 7_146_001
/** Postgres' type numbers of `bigint` and `numeric`, which its driver otherwise gives as text. */
const numericTypes = [20, 1700]

/** Opens `DATABASE_URL`, brought to this version's schema. Errors: Refusal. */
export async function openPostgres(url: string): Promise<Db> {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  try {
    const holder = await pool.connect()
    const { rows } = await holder.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey])
    if (!rows[0]?.free) throw new Refusal('another Quarterdeck server already uses this Postgres database')
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
    await migrate(db, 'postgres')
    const destroy = db.destroy.bind(db)
    db.destroy = async () => {
      holder.release()
      await destroy()
    }
    return db
  } catch (error) {
    await pool.end().catch(() => {})
    if (error instanceof Refusal) throw error
    throw new Refusal(`the Postgres database of DATABASE_URL cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
