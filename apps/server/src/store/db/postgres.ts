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
import type { Pool, PoolClient, PoolConfig, QueryConfig, QueryResultRow } from 'pg'
import type { Logger } from 'pino'
import { Refusal } from '../../kernel/refusal.ts'
import { isConnectionLost, isDatabaseAway, isDiskFull } from '../../kernel/storage-errors.ts'
import { version } from '../../kernel/version.ts'
import { migrate } from './migrate.ts'
import { type Holder, isOwnHolder, placeIn, sessionName } from './postgres-holder.ts'
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
  /** Waits for the database until the signal, if another server has it; null: refuses. */
  standby?: AbortSignal | null
  /** False: a command that holds the database and leaves no row of its own. */
  isServer?: boolean
  taken(why: string): void
}

export interface Postgres extends Pick<PostgresLock, 'isHeld' | 'prove' | 'mayAct'> {
  db: Db
}

/** Opens `DATABASE_URL` for this server alone and migrates it. While the database is away, queries fail with `databaseAway`. Errors: Refusal; the signal’s reason. */
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
  { log, storage, standby = null, isServer = true, taken }: PostgresWatch,
): Promise<Postgres & { limitQueries(): void }> {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const ownName = isServer ? sessionName() : 'quarterdeck-migrate'
  const name = isServer ? ownName : null
  const options = { ...addressOf(url, ownName), connectionTimeoutMillis: connectWithinMs, keepAlive: true }
  let isTaken = false
  const pool = new pg.Pool({
    ...options,
    max: maxConnections,
    min: minConnections,
    // Of connections from before, a successor ends all.
    onConnect: async (client: PoolClient) => {
      client.on('error', () => {})
      if (isTaken && !(await isOwnHolder(client, name))) throw new AppError('databaseAway')
    },
  } as PoolConfig)
  // Without a listener, a broken idle connection would end the process; the lock's tells of it.
  pool.on('error', () => {})
  const busy = new Set<Drop>()
  let lostTo: Error | undefined
  const gone = () => new AppError('databaseAway', {}, { cause: lostTo })
  const connect = async () => {
    const client = new pg.Client({ ...options, query_timeout: beatWithinMs })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const events = {
    lost(error: Error) {
      log.error({ err: error }, 'lost the database; reconnecting')
      lostTo = error
      // What waits for an answer gets none.
      for (const drop of [...busy]) drop(gone())
    },
    regained() {
      pool.options.max = maxConnections
      log.info('reconnected to the database')
    },
    taken,
    waiting(holder: Holder | null) {
      const active = holder && { active: placeIn(holder.name), version: holder.version }
      log.info(active ?? {}, 'standby: waiting until the active server is gone')
      if (holder && minorOf(holder.version) !== minorOf(version))
        log.warn({ active: holder.version, own: version }, 'standby: the active server has another version')
      if (holder?.isStandby === false)
        log.warn('standby: the active server runs without --standby; it goes on when it is cut off from the database')
    },
    away: (error: Error) =>
      log.error(
        { err: error },
        isDiskFull(error)
          ? 'standby: can’t write to the database; retrying'
          : 'standby: lost the database; reconnecting',
      ),
  }
  const lock = await takeLock({ connect, pool, events, name, standby }).catch(async (error: unknown) => {
    await ended(pool)
    if (standby?.aborted) throw standby.reason
    throw unusable(error)
  })
  if (lock === null) {
    await ended(pool)
    throw new Refusal('another Quarterdeck server is already using this Postgres database')
  }
  isTaken = true
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
      if (!(await lock.prove())) throw gone()
      const given = await take().catch((error: unknown) => {
        throw away(error)
      })
      // Who waited for a client may get a new one after the lock is lost.
      if (!lock.isHeld()) {
        given.release()
        throw gone()
      }
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
    const [found] = (await enough[0]!.query<{ version: string }>(versionOf)).rows
    for (const one of enough) one.release()
    if (found && Number(found.version) < oldestVersion * 10_000) throw new Refusal(tooOld(Number(found.version)))
    const limitQueries = () => {
      queryMs = queryWithinMs
    }
    const { isHeld, prove, mayAct } = lock
    return { db, isHeld, prove, mayAct, limitQueries }
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

const versionOf = "select current_setting('server_version_num') as version"

/** The oldest major version with which the server is tested or known to work. */
const oldestVersion = 13

const tooOld = (version: number) =>
  `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; ${oldestVersion} or newer is required`

/** The last one of equal parameters of a URL counts. */
const addressOf = (url: string, name: string) => ({
  connectionString: `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`,
})

const minorOf = (text: string) => text.split('.').slice(0, 2).join('.')

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** PostgreSQL's `too_many_connections`. */
const tooMany = '53300'

function unusable(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const said = error instanceof AppError ? (error.cause ?? error) : error
  const reason = said instanceof Error ? said.message || codeOf(said) : String(said)
  const isNoUrl = said instanceof URIError || codeOf(said) === 'ERR_INVALID_URL'
  const advice = isNoUrl
    ? '; percent-encode special characters, such as # as %23'
    : codeOf(said) === tooMany
      ? `; the server needs ${minConnections + 1} connections`
      : ''
  return new Refusal(`cannot use the Postgres database in DATABASE_URL: ${reason}${advice}`, { cause: error })
}

const away = (error: unknown): unknown =>
  isConnectionLost(error) && !(error instanceof AppError) ? new AppError('databaseAway', {}, { cause: error }) : error

type Drop = (why: AppError) => void

interface Hearing {
  storage: Heard | undefined
  /** The time limit of a query, in ms; 0: none. */
  queryMs: number
  /** How to drop the clients that are taken. */
  busy: Set<Drop>
}

/** Wraps a client so that `storage` learns of a full disk, thrown as `diskFull`, and what the connection fails with is `databaseAway`. */
function heard(client: PoolClient, { storage, queryMs, busy }: Hearing): PostgresPoolClient {
  let broken: AppError | null = null
  function release() {
    if (busy.delete(drop)) client.release(broken !== null)
  }
  function drop(why: AppError) {
    broken ??= why
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
