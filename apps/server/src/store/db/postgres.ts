import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../../kernel/refusal.ts'
import { migrate } from './migrate.ts'
import type { Database, Db } from './schema.ts'
import { failure, type Heard } from './storage.ts'

/** Any number that is ours alone: one server per database. */
const lockKey = 7_146_001
/** Between two tries to take the lock again. */
const retryMs = 500

/** The right of one server to use a database: an advisory lock, which PostgreSQL keeps as long as its connection lives. */
interface PostgresLock {
  /** False while the connection is lost; nothing may be written then, since another server may have begun. */
  isHeld(): boolean
  release(): Promise<void>
}

/** What becomes of the lock while the server runs. */
interface LockEvents {
  /** The connection is gone, and with it the lock; it is tried for again. */
  lost(error: Error): void
  regained(): void
  /** Another server took the database meanwhile. No try follows. */
  taken(): void
}

/**
 * Takes the lock, and takes it again whenever its connection is lost. `connect` opens a connection. Returns null if another server
 * holds it. Errors: those of the first connection.
 */
async function takeLock(connect: () => Promise<Client>, events: LockEvents): Promise<PostgresLock | null> {
  let client: Client | null = null
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  /** Null: another server holds it. */
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
      // The database cannot be reached yet.
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

/** Postgres' type numbers of `bigint` and `numeric`, which its driver otherwise gives as text. */
const numericTypes = [20, 1700]
/** A database that accepts a connection but sends nothing counts as gone after this. */
const connectWithinMs = 10_000
/** Connections for the server's queries; one more holds the lock. */
const maxConnections = 4

/** What the server is told of its database while it runs. */
export interface PostgresWatch {
  log: Logger
  /** Hears of a full disk. */
  storage?: Heard
  /** Another server has taken the database after a loss of the connection: this one must end. */
  taken(): void
}

/**
 * Opens `DATABASE_URL` for this server alone, brought to this version's schema. While the database is away its queries fail;
 * when it is back they go on. Errors: Refusal.
 */
export async function openPostgres(url: string, { log, storage, taken }: PostgresWatch): Promise<Db> {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const options = { connectionString: url, connectionTimeoutMillis: connectWithinMs, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: maxConnections })
  // Without a listener a connection that breaks while nobody uses it would end the process.
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
      // A client that is lent out speaks of its broken connection itself; the query that uses it fails by itself.
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

/** The same client, whose failures for want of room are told to `storage` and thrown as the error `diskFull`. */
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
