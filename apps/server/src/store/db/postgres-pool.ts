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
import { isConnectionLost, isDatabaseAway } from '../../kernel/errors.ts'
import { isOwnHolder } from './postgres-holder.ts'
import { failure, type Heard } from './storage.ts'

/** PostgreSQL's type numbers of `bigint` and `numeric`, which the driver returns as text. */
const numericTypes = [20, 1700]
/** After this, a database that accepts connections but stays silent counts as gone. */
const connectWithinMs = 10_000
const queryWithinMs = 10_000
const closeWithinMs = 1000

export interface PostgresPlace {
  readonly url: string
  /** `application_name` of all sessions of one server. */
  readonly session: string
  /** Shared with threads: 1 while this server has the database for all it knows. */
  readonly held: Int32Array<SharedArrayBuffer>
}

export const isHeldAt = ({ held }: Pick<PostgresPlace, 'held'>): boolean => Atomics.load(held, 0) === 1

/** The driver, and how it opens a session. The last one of equal parameters of a URL counts. */
export async function driverFor({ url, session }: Pick<PostgresPlace, 'url' | 'session'>) {
  const { default: pg } = await import('pg')
  for (const type of numericTypes) pg.types.setTypeParser(type, Number)
  const connectionString = `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(session)}`
  return { pg, options: { connectionString, connectionTimeoutMillis: connectWithinMs, keepAlive: true } }
}

interface PoolParts {
  min: number
  max: number
  /** Whether this server has the database already, so that a new connection finds that it hasn't any more. */
  isTaken(): boolean
}

export async function createPool(place: PostgresPlace, { min, max, isTaken }: PoolParts): Promise<Pool> {
  const { pg, options } = await driverFor(place)
  const pool = new pg.Pool({
    ...options,
    min,
    max,
    // Of connections from before, a successor ends all.
    onConnect: async (client: PoolClient) => {
      client.on('error', () => {})
      if (isTaken() && !(await isOwnHolder(client, place.session))) throw new AppError('databaseAway')
    },
  } as PoolConfig)
  // Without a listener, a broken idle connection would end the process; the lock's tells of it.
  pool.on('error', () => {})
  return pool
}

/** `in ()` is false, as with SQLite, not an error. */
const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })

export const overPool = <Tables>(pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [emptyLists] })

/** Opens one more connection of a server that has the database, for a thread of its own. While the server hasn't got the database, queries fail with `databaseAway`. */
export async function joinPostgres<Tables>(place: PostgresPlace): Promise<Kysely<Tables>> {
  const pool = await createPool(place, { min: 1, max: 1, isTaken: () => true })
  const { hear, limitQueries } = createHearing()
  limitQueries()
  return overPool<Tables>({
    async connect() {
      if (!isHeldAt(place)) throw away(new Error('lost the database'))
      return hear(
        await pool.connect().catch((error: unknown) => {
          throw away(error)
        }),
      )
    },
    end: () => endPool(pool),
  })
}

/** Ends connections without waiting for a silent database. */
export async function endPool(pool: Pool, then: () => Promise<void> = async () => {}): Promise<void> {
  await Promise.race([pool.end().then(then), sleep(closeWithinMs, undefined, { ref: false })])
}

export const away = (error: unknown): unknown =>
  isConnectionLost(error) && !(error instanceof AppError) ? new AppError('databaseAway', {}, { cause: error }) : error

type Drop = (why: AppError) => void

/** Wraps clients so that `storage` learns of a full disk, thrown as `diskFull`, and what the connection fails with is `databaseAway`. */
export function createHearing(storage?: Heard) {
  /** How to drop the clients that are taken. */
  const busy = new Set<Drop>()
  const limited = new WeakSet<PoolClient>()
  /** The time limit of a query, in ms; 0: none. */
  let queryMs = 0

  function wrap(client: PoolClient): PostgresPoolClient {
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

  return {
    async hear(given: PoolClient): Promise<PostgresPoolClient> {
      const client = wrap(given)
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
    limitQueries() {
      queryMs = queryWithinMs
    },
    /** What waits for an answer gets none. */
    dropAll(why: AppError) {
      for (const drop of [...busy]) drop(why)
    },
  }
}
