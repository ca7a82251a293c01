import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@qd/core/errors'
import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  replaceWithNoncontingentExpression,
} from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../../kernel/refusal.ts'
import { isDatabaseAway } from '../../kernel/storage-errors.ts'
import { migrate } from './migrate.ts'
import { type PostgresLock, takeLock } from './postgres-lock.ts'
import type { Database, Db } from './schema.ts'
import { failure, type Heard } from './storage.ts'

/** PostgreSQL's type numbers of `bigint` and `numeric`, which the driver returns as text. */
const numericTypes = [20, 1700]
/** After this, a database that accepts connections but stays silent counts as gone. */
const connectWithinMs = 10_000
const queryWithinMs = 10_000
const beatWithinMs = 3000
/** One more connection holds the lock. */
const maxConnections = 4
const minConnections = 2
const closeWithinMs = 1000

/** `in ()` is false, as with SQLite, not an error. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })

export interface PostgresWatch {
  log: Logger
  storage?: Heard
  taken(): void
}

export interface Postgres {
  db: Db
  /** Whether this server holds the database’s lock, by its last proof. */
  isHeld(): boolean
}

/** Opens `DATABASE_URL` for this server alone and migrates it. While the database is away, queries fail with `databaseAway`. Errors: Refusal. */
export async function openPostgres(url: string, watch: PostgresWatch): Promise<Postgres> {
  const { limitQueries, ...postgres } = await connectPostgres(url, watch)
  try {
    await migrate(postgres.db, 'postgres')
    limitQueries()
    return postgres
  } catch (error) {
    await postgres.db.destroy().catch(() => {})
    throw unusable(error)
  }
}

/** Opens `DATABASE_URL` for this process alone, as it is. Errors: Refusal. */
export async function connectPostgres(
  url: string,
  { log, storage, taken }: PostgresWatch,
): Promise<Postgres & { limitQueries(): void }> {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const options = { connectionString: url, connectionTimeoutMillis: connectWithinMs, keepAlive: true }
  const pool = new pg.Pool({ ...options, max: maxConnections, min: minConnections })
  // Without a listener, a broken idle connection would end the process; the lock's tells of it.
  pool.on('error', () => {})
  const busy = new Set<() => void>()
  const connect = async () => {
    const client = new pg.Client({ ...options, query_timeout: beatWithinMs })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const events = {
    lost(error: Error) {
      log.error({ err: error }, 'lost the database; reconnecting')
      // What waits for an answer gets none.
      for (const drop of [...busy]) drop()
    },
    regained() {
      pool.options.max = maxConnections
      log.info('reconnected to the database')
    },
    taken,
  }
  const lock = await takeLock(connect, pool, events).catch(async (error: unknown) => {
    await ended(pool)
    throw unusable(error)
  })
  if (lock === null) {
    await ended(pool)
    throw new Refusal('another Quarterdeck server is already using this Postgres database')
  }
  async function take(): Promise<PoolClient> {
    try {
      return await pool.connect()
    } catch (error) {
      if (codeOf(error) !== tooMany || pool.totalCount === 0) throw error
      // The database gives no more than these.
      pool.options.max = Math.max(minConnections, pool.totalCount)
      return pool.connect()
    }
  }
  let queryMs = 0
  const limited = new WeakSet<PoolClient>()
  const guarded: PostgresPool = {
    async connect() {
      if (!lock.isHeld()) throw new AppError('databaseAway')
      const given = await take().catch((error: unknown) => {
        throw away(error)
      })
      // Who waited for a client may get a new one after the lock is lost.
      if (!lock.isHeld()) {
        given.release()
        throw new AppError('databaseAway')
      }
      // The query on a broken client fails by itself.
      if (given.listenerCount('error') === 0) given.on('error', () => {})
      const client = heard(given, { storage, queryMs, busy })
      if (queryMs > 0 && !limited.has(given)) {
        // The database itself gives up first: what a caller was told has failed must not be stored later.
        await client.query(`set statement_timeout = ${queryMs - 1000}`, []).catch((error: unknown) => {
          client.release()
          throw error
        })
        limited.add(given)
      }
      return client
    },
    end: () => ended(pool, lock),
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: guarded }), plugins: [emptyLists] })
  try {
    const enough = await Promise.all(Array.from({ length: minConnections }, () => pool.connect()))
    const [found] = (await enough[0]!.query<Facts>(facts)).rows
    for (const one of enough) one.release()
    if (found?.only) throw new Refusal(replica)
    if (found && Number(found.version) < oldestVersion * 10_000) throw new Refusal(tooOld(Number(found.version)))
    const limitQueries = () => {
      queryMs = queryWithinMs
    }
    return { db, isHeld: lock.isHeld, limitQueries }
  } catch (error) {
    await db.destroy().catch(() => {})
    throw unusable(error)
  }
}

/** Ends connections without waiting for a silent database. */
async function ended(pool: Pool, lock?: PostgresLock): Promise<void> {
  const gone = pool.end().then(() => lock?.release())
  await Promise.race([gone, sleep(closeWithinMs, undefined, { ref: false })])
}

interface Facts {
  only: boolean
  version: string
}

const facts = "select pg_is_in_recovery() as only, current_setting('server_version_num') as version"

/** The oldest major version with which the server is tested or known to work. */
const oldestVersion = 13

const tooOld = (version: number) =>
  `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; ${oldestVersion} or newer is required`

const replica = 'DATABASE_URL leads to a replica that can only be read; name the primary server'

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** PostgreSQL's `too_many_connections`. */
const tooMany = '53300'

function unusable(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const said = error instanceof AppError ? (error.cause ?? error) : error
  const reason = said instanceof Error ? said.message || codeOf(said) : String(said)
  const advice = codeOf(said) === tooMany ? `; the server needs ${minConnections + 1} connections` : ''
  return new Refusal(`cannot use the Postgres database in DATABASE_URL: ${reason}${advice}`, { cause: error })
}

/** PostgreSQL's classes of lost connections, shutdown, too many connections, and cancelled statements. */
const goneCodes = /^(08...|57P..|57014|53300)$/

/** What the driver says itself is of the connection; the database's own errors have a severity. */
function away(error: unknown): unknown {
  const isOwn = error instanceof Error && 'severity' in error
  const isGone = isOwn ? goneCodes.test(codeOf(error)) : error instanceof Error && !(error instanceof TypeError)
  return isGone ? new AppError('databaseAway', {}, { cause: error }) : error
}

interface Hearing {
  storage: Heard | undefined
  /** The time limit of a query, in ms; 0: none. */
  queryMs: number
  /** How to drop the clients that are taken. */
  busy: Set<() => void>
}

/** Wraps a client so that `storage` learns of a full disk, thrown as `diskFull`, and what the connection fails with is `databaseAway`. */
function heard(client: PoolClient, { storage, queryMs, busy }: Hearing): PostgresPoolClient {
  let broken: AppError | null = null
  function release() {
    if (busy.delete(drop)) client.release(broken !== null)
  }
  function drop() {
    broken ??= new AppError('databaseAway')
    release()
  }
  busy.add(drop)
  return {
    release,
    query: async <R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
      if (broken) throw broken
      try {
        const query: QueryConfig & { query_timeout: number } = { text, values: [...values], query_timeout: queryMs }
        return (await client.query<R & QueryResultRow>(query)) as PostgresQueryResult<R>
      } catch (error) {
        const failed = failure(error, storage)
        const thrown = failed === error ? away(error) : failed
        if (isDatabaseAway(thrown)) broken = thrown as AppError
        throw thrown
      }
    },
  } as PostgresPoolClient
}
