import { AppError } from '@qd/core/errors'
import type { Client, Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { isDiskFull, Refusal } from '../../kernel/errors.ts'
import { version } from '../../kernel/version.ts'
import { migrate } from './migrate.ts'
import { type Holder, placeIn, sessionName } from './postgres-holder.ts'
import { type PostgresLock, takeLock } from './postgres-lock.ts'
import { away, createHearing, createPool, driverFor, endPool, overPool, type PostgresPlace } from './postgres-pool.ts'
import type { Database, Db } from './schema.ts'
import type { Heard } from './storage.ts'

const beatWithinMs = 3000
/** As of sign-ins from the future (`access/sessions.ts`). */
const clockSkewMs = 60_000
/** Beside the pool, one connection holds the lock, and one is that of history’s thread. */
const maxConnections = 3
const besidePool = 2
/** After the database had no more, others may have left some. */
const growAfterMs = 60_000

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
  place: PostgresPlace
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
  const held = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(1)
  const place = { url, session: isServer ? sessionName() : 'quarterdeck-migrate', held }
  const name = isServer ? place.session : null
  const { pg, options } = await driverFor(place)
  let isTaken = false
  // One more is that of history's thread, which comes later.
  const pool = await createPool(place, { min: 1, max: maxConnections + 1, isTaken: () => name !== null && isTaken })
  let most = maxConnections
  const { hear, limitQueries, dropAll } = createHearing(storage)
  let lostTo: Error | undefined
  const gone = () => new AppError('databaseAway', {}, { cause: lostTo })
  const connect = async () => {
    const client = new pg.Client({ ...options, query_timeout: beatWithinMs })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const events = {
    opened(now: number) {
      const aheadMs = Date.now() - now
      if (Math.abs(aheadMs) > clockSkewMs)
        log.warn(
          { seconds: Math.round(aheadMs / 1000) },
          'this machine’s clock differs from PostgreSQL’s; after a takeover, users may have to sign in again',
        )
    },
    lost(error: Error) {
      log.error({ err: error }, 'lost the database; reconnecting')
      lostTo = error
      Atomics.store(held, 0, 0)
      dropAll(gone())
    },
    regained() {
      pool.options.max = most
      Atomics.store(held, 0, 1)
      log.info('reconnected to the database')
    },
    taken(why: string) {
      Atomics.store(held, 0, 0)
      taken(why)
    },
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
    await endPool(pool)
    if (standby?.aborted) throw standby.reason
    throw unusable(error)
  })
  if (lock === null) {
    await endPool(pool)
    throw new Refusal('another Quarterdeck server is already using this Postgres database')
  }
  isTaken = true
  let mayGrowAt = Number.POSITIVE_INFINITY
  function allow(connections: number): void {
    pool.options.max = connections
    mayGrowAt = performance.now() + growAfterMs
  }
  async function take(waits = maxWaits): Promise<PoolClient> {
    if (performance.now() >= mayGrowAt) allow(maxConnections)
    try {
      return await pool.connect()
    } catch (error) {
      // Thousands wait for a connection, as when a fleet comes back: the database is not away.
      if ((error as Error).message === queuedTooLong && waits > 1 && (await lock!.prove())) return take(waits - 1)
      if (codeOf(error) !== tooMany || pool.totalCount === 0) throw error
      // The database gives no more than these.
      allow(pool.totalCount)
      return take(waits)
    }
  }
  const db = overPool<Database>({
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
      return hear(given)
    },
    end: () => endPool(pool, () => lock.release()),
  })
  try {
    most = await countConnections(pool)
    if (most < maxConnections)
      log.warn({ connections: most + besidePool }, 'the database allows fewer connections than the server uses')
    allow(most)
    const { isHeld, prove, mayAct } = lock
    return { db, place, isHeld, prove, mayAct, limitQueries }
  } catch (error) {
    await db.destroy().catch(() => {})
    throw unusable(error)
  }
}

/** What the pool says to a caller for whom no connection has been free in time. */
const queuedTooLong = 'timeout exceeded when trying to connect'
/** A caller fails after as many times of 10 s. */
const maxWaits = 6
const askWithinMs = 3000

/** Opens one connection beside a running server, for a command. Errors: Refusal. */
export async function askPostgres<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  let client: Client | null = null
  try {
    const { default: pg } = await import('pg')
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: askWithinMs,
      query_timeout: askWithinMs,
    })
    client.on('error', () => {})
    await client.connect()
    return await work(client)
  } catch (error) {
    throw unusable(error)
  } finally {
    await client?.end().catch(() => {})
  }
}

/** How many connections the pool may have if one more is left for history’s thread. Errors: Refusal, or why there aren’t two. */
async function countConnections(pool: Pool): Promise<number> {
  const asked = await Promise.allSettled(Array.from({ length: maxConnections + 1 }, () => pool.connect()))
  const opened = asked.flatMap((one): PoolClient[] => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = asked.find((one) => one.status === 'rejected')
  try {
    if (opened.length < 2 && refused) throw refused.reason
    const [found] = (await opened[0]!.query<{ version: string }>(versionOf)).rows
    if (found && Number(found.version) < oldestVersion * 10_000) throw new Refusal(tooOld(Number(found.version)))
    return opened.length - 1
  } finally {
    for (const client of opened) client.release(client === opened.at(-1))
  }
}

const versionOf = "select current_setting('server_version_num') as version"

/** The oldest major version with which the server is tested or known to work. */
const oldestVersion = 13

const tooOld = (version: number) =>
  `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; ${oldestVersion} or newer is required`

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
      ? `; the server needs ${besidePool + 1} connections`
      : ''
  return new Refusal(`cannot use the Postgres database in DATABASE_URL: ${reason}${advice}`, { cause: error })
}
