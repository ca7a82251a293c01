import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../../kernel/refusal.ts'
import { migrate } from './migrate.ts'
import type { Database, Db } from './schema.ts'
import { failure, type Heard } from './storage.ts'

const lockKey = 7_146_001
const retryMs = 500

interface PostgresLock {
  /** False while disconnected: another server may have taken over, so nothing may be written. */
  isHeld(): boolean
  release(): Promise<void>
}

interface LockEvents {
  /** The connection and the lock are lost; retries follow. */
  lost(error: Error): void
  regained(): void
  /** Another server took the database. No retry follows. */
  taken(): void
}

/** Takes the lock, again after each loss of the connection. Null if another server holds it. Errors: those of the first connection. */
async function takeLock(connect: () => Promise<Client>, events: LockEvents): Promise<PostgresLock | null> {
  let client: Client | null = null
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  async function attempt(): Promise<Client | null> {
    const fresh = await connect()
    try {
      const { rows } = await fresh.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey])
      if (rows[0]?.free) return fresh
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    await fresh.end()
    return null
  }

  function keep(fresh: Client) {
    client = fresh
    let isGone = false
    const gone = (error: Error) => {
      if (isGone || isOver) return
      isGone = true
      client = null
      events.lost(error)
      later()
    }
    fresh.on('error', gone)
    fresh.on('end', () => gone(new Error('the connection ended')))
  }

  function later() {
    timer = setTimeout(() => void again(), retryMs)
  }

  async function again() {
    try {
      const fresh = await attempt()
      if (isOver) await fresh?.end()
      else if (fresh === null) events.taken()
      else {
        keep(fresh)
        events.regained()
      }
    } catch {
      if (!isOver) later()
    }
  }

  const first = await attempt()
  if (first === null) return null
  keep(first)
  return {
    isHeld: () => client !== null,
    async release() {
      isOver = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

/** PostgreSQL's type numbers of `bigint` and `numeric`, which the driver returns as text. */
const numericTypes = [20, 1700]
/** After this, a database that accepts connections but stays silent counts as gone. */
const connectWithinMs = 10_000
/** One more connection holds the lock. */
const maxConnections = 4

export interface PostgresWatch {
  log: Logger
  storage?: Heard
  taken(): void
}

/** Opens `DATABASE_URL` for this server alone and migrates it. Queries fail while the database is away. Errors: Refusal. */
export async function openPostgres(url: string, { log, storage, taken }: PostgresWatch): Promise<Db> {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const options = { connectionString: url, connectionTimeoutMillis: connectWithinMs, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: maxConnections })
  // Without a listener, a broken idle connection would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'lost a connection to the database'))
  const connect = async () => {
    const client = new pg.Client(options)
    await client.connect()
    return client
  }
  const events = {
    lost: (error: Error) => log.error({ err: error }, 'lost the database; reconnecting'),
    regained: () => log.info('reconnected to the database'),
    taken,
  }
  const lock = await takeLock(connect, events).catch((error: unknown) => {
    throw unusable(error)
  })
  if (lock === null) throw new Refusal('another Quarterdeck server is already using this Postgres database')
  const guarded: PostgresPool = {
    async connect() {
      if (!lock.isHeld()) throw new Error('lost the database')
      const client = await pool.connect()
      // The query on a broken client fails by itself.
      if (client.listenerCount('error') === 0) client.on('error', () => {})
      return heard(client, storage)
    },
    async end() {
      await pool.end()
      await lock.release()
    },
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guarded }) })
  try {
    await migrate(db, 'postgres')
    return db
  } catch (error) {
    await db.destroy().catch(() => {})
    throw unusable(error)
  }
}

function unusable(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message || (error as { code?: string }).code : String(error)
  return new Refusal(`cannot use the Postgres database in DATABASE_URL: ${reason}`, { cause: error })
}

/** Wraps a client so that `storage` learns of a full disk, thrown as `diskFull`. */
function heard(client: PostgresPoolClient, storage: Heard | undefined): PostgresPoolClient {
  return {
    release: () => client.release(),
    query: async (query: string, parameters: readonly unknown[]) => {
      try {
        return await client.query(query, parameters)
      } catch (error) {
        throw failure(error, storage)
      }
    },
  } as PostgresPoolClient
}
