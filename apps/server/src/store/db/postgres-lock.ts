import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { isConnectionLost, isDiskFull, Refusal } from '../../kernel/errors.ts'
import { migrationNames, newerDatabase } from './migrate.ts'
import {
  beat,
  demandSameRole,
  demandWritable,
  endFormer,
  fence,
  type Holder,
  isOwnHolder,
  isStale,
  lockKey,
  ofLock,
  readHolder,
  succeed,
} from './postgres-holder.ts'

const retryMs = 500
const beatEveryMs = 1000
/** A standby ends the sessions of a holder whose beat is the same at two looks 2 s apart and older than 5 s. */
const unsureAfterMs = 4000
const watchEveryMs = 500
/** Spans of `watchEveryMs` in which a process that was stopped itself has the chance to prove that nothing has changed. */
const unsureSpans = 3
const tryEveryMs = 200
const checkEveryMs = 1000
const looksApartMs = 2000
/** A crash of PostgreSQL loses beats of less than a second; an older backup has an older one. */
const lostBeatsS = 10
/** After PostgreSQL was away, the holder comes before a standby. */
const holderFirstMs = 3000

export interface PostgresLock {
  /** False while disconnected: another server may have taken over, so nothing may be written. */
  isHeld(): boolean
  /** Like `isHeld`, by a new proof if the last one is old. */
  prove(): Promise<boolean>
  /** Whether what needs no database may leave this server. */
  mayAct(): boolean
  release(): Promise<void>
}

interface LockEvents {
  /** A session is open; the time is that of the database, in ms. */
  opened(now: number): void
  /** The connection or the lock is lost; retries follow. */
  lost(error: Error): void
  regained(): void
  /** Another server took the database, or may have. No retry follows. */
  taken(why: string): void
  /** A standby begins to wait for another holder. Null: one that leaves no row. */
  waiting(holder: Holder | null): void
  /** The database is away, or can’t be written, while a standby waits; retries follow. */
  away(error: Error): void
}

export interface LockParts {
  /** A session whose queries have a time limit. */
  connect(): Promise<Client>
  pool: Pool
  events: LockEvents
  /** `application_name` of all sessions of this process, and of no other. Null: no server, and none that a standby ends. */
  name: string | null
  /** Waits for the lock instead of refusing, until the signal; and ends as a holder that can’t prove that it still is one. */
  standby: AbortSignal | null
}

interface Opened {
  session: Client
  pid: number
}

/** A host that vanished frees the lock within some 5 s, not after the two hours of most systems; also while it owes PostgreSQL a receipt. */
const keepalives =
  'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000'

/** Whether this session has its own backend still, and that backend the lock. */
const ownLock = `pg_backend_pid() as pid, exists (select from pg_locks where ${ofLock} and pid = pg_backend_pid()) as held`

/** Takes the lock, proves it every `beatEveryMs`, and takes it again after each loss. Null if another server holds it. Errors: those of the first connection; Refusal if a pooler shares backends; the signal’s reason. */
export async function takeLock({ connect, pool, events, name, standby }: LockParts): Promise<PostgresLock | null> {
  let client: Client | null = null
  let isOver = false
  /** When the last good proof began, by a clock that nobody sets. */
  let provenAt = performance.now()
  let proving: Promise<boolean> | null = null
  /** The backend that held the lock last. PostgreSQL may not know yet that its session is gone. */
  let lastOwn: number | null = null

  /** By the database’s clock, in seconds. */
  let lastBeat: number | null = null

  const isSure = () => performance.now() - provenAt < unsureAfterMs

  async function open(): Promise<Opened> {
    const session = await connect()
    try {
      if (lastOwn !== null && !(await isOwnHolder(session, name))) throw fenced
      const pid = await refusePooler(session, pool)
      await session.query(keepalives)
      const { rows } = await session.query<{ only: boolean; now: number }>(
        'select pg_is_in_recovery() as only, extract(epoch from clock_timestamp())::float8 * 1000 as now',
      )
      // A replica has locks of its own.
      if (rows[0]!.only) throw new Refusal(replica)
      events.opened(rows[0]!.now)
      return { session, pid }
    } catch (error) {
      leave(session)
      throw error
    }
  }

  async function isFree(session: Client): Promise<boolean> {
    const { rows } = await session.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey])
    return rows[0]!.free
  }

  /** Whether the row names this server and has its last beat: one from an older backup names it, too. */
  function isOwn({ named, at, before }: Awaited<ReturnType<typeof beat>>): boolean {
    const isOlder = lastBeat !== null && before != null && before < lastBeat - lostBeatsS
    lastBeat = at ?? lastBeat
    return named && !isOlder
  }

  async function inherit(session: Client): Promise<void> {
    await demandKnown(session)
    await succeed(session, name, standby !== null)
  }

  /** False if another server has the lock. */
  async function attempt(): Promise<boolean> {
    const { session, pid } = await open()
    try {
      if (await isFree(session)) {
        if (lastOwn === null) await inherit(session)
        const began = performance.now()
        // By one that has yet to take the lock.
        if (!isOwn(await beat(session, name, ownLock))) throw fenced
        if (isOver) leave(session)
        else await hold(session, pid, began)
        return true
      }
      const holder = await session.query<{ pid: number }>(`select pid from pg_locks where ${ofLock}`)
      const of = holder.rows[0]?.pid
      if (lastOwn !== null && (of === undefined || of === lastOwn)) throw new Error('the former session has the lock')
      leave(session)
      return false
    } catch (error) {
      leave(session)
      throw error
    }
  }

  async function hold(fresh: Client, pid: number, began: number): Promise<void> {
    // A beat need not survive a crash of PostgreSQL, nor wait for its replicas.
    await fresh.query('set synchronous_commit = off')
    client = fresh
    lastOwn = pid
    provenAt = began
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the connection ended')))
    void keepProving(fresh)
  }

  function lose(held: Client, error: Error): void {
    if (client !== held) return
    client = null
    leave(held)
    events.lost(error)
    void regain()
  }

  function end(why: string): void {
    if (isOver) return
    isOver = true
    const held = client
    client = null
    if (held) leave(held)
    events.taken(why)
  }

  /** Asked once at a time. */
  function prove(): Promise<boolean> {
    const held = client
    if (held === null || isOver) return Promise.resolve(false)
    proving ??= proveNow(held).finally(() => {
      proving = null
    })
    return proving
  }

  async function proveNow(held: Client): Promise<boolean> {
    const began = performance.now()
    try {
      const proof = await beat<{ pid: number; held: boolean }>(held, name, ownLock)
      if (client !== held) return false
      const isOurs = isOwn(proof)
      if (!isOurs) end(takenOver)
      else if (proof.pid !== lastOwn || !proof.held) throw new Error('the lock is gone')
      else provenAt = began
      return isOurs
    } catch (error) {
      lose(held, error as Error)
      return false
    }
  }

  async function keepProving(held: Client): Promise<void> {
    while (client === held) {
      await sleep(beatEveryMs, undefined, { ref: false })
      if (client === held) await prove()
    }
  }

  async function regain(): Promise<void> {
    while (!isOver) {
      await sleep(retryMs, undefined, { ref: false })
      try {
        if (isOver) return
        const isOurs = await attempt()
        if (isOver) return
        return isOurs ? events.regained() : end(takenOver)
      } catch (error) {
        if (error === fenced) return end(takenOver)
      }
    }
  }

  async function watch(): Promise<void> {
    for (let spans = 0; !isOver; spans = isSure() ? 0 : spans + 1) {
      if (spans >= unsureSpans) return end(unsure)
      if (spans > 0) void prove()
      await sleep(watchEveryMs, undefined, { ref: false })
    }
  }

  /** Ends when this server has the lock. */
  async function wait(signal: AbortSignal): Promise<void> {
    let opened: Opened | null = await open()
    let notBefore = 0
    let lookAt = 0
    let known: string | null = null
    /** A beat that has been the last one since the look of then, while the database could be written; null: since the look before. */
    let still = null as { at: string; since: number | null } | null
    /** The last beat when a full database was logged. */
    let loggedAt: string | null | undefined = null

    async function look(session: Client): Promise<boolean> {
      lookAt = performance.now() + checkEveryMs
      await demandKnown(session)
      const holder = await readHolder(session)
      if (known !== (holder?.name ?? '')) {
        known = holder?.name ?? ''
        if (holder) await demandSameRole(session, holder)
        if (holder?.name !== name) events.waiting(holder)
      }
      if (holder?.former) {
        await endFormer(session, holder.former, name)
        return true
      }
      if (!holder?.isActive) still = null
      else if (still?.at !== holder.at) still = { at: holder.at, since: null }
      else if (still.since === null) {
        await demandWritable(session)
        still.since = performance.now()
      } else if (isStale(holder) && performance.now() - still.since >= looksApartMs) {
        still = null
        return name !== null && fence(session, holder, name)
      }
      return false
    }

    for (;;) {
      signal.throwIfAborted()
      try {
        opened ??= await open()
        const { session, pid } = opened
        if (performance.now() >= notBefore && (await isFree(session))) {
          await inherit(session)
          return await hold(session, pid, performance.now())
        }
        if (performance.now() >= lookAt && (await look(session))) continue
      } catch (error) {
        const at = still?.at
        still = null
        if (opened && isDiskFull(error)) {
          if (loggedAt !== at) events.away(error as Error)
          loggedAt = at
        } else {
          if (opened) leave(opened.session)
          if (!isConnectionLost(error) && !(error instanceof Refusal && error.message === replica)) throw error
          if (opened) events.away(error as Error)
          opened = null
          known = null
          notBefore = performance.now() + holderFirstMs
        }
      }
      await sleep(tryEveryMs, undefined, { signal })
    }
  }

  if (standby === null) {
    if (!(await attempt())) return null
  } else {
    // Neither a silent database nor one that ends no session holds up the end.
    await Promise.race([wait(standby), once(standby, 'abort')])
    standby.throwIfAborted()
    void watch()
  }
  return {
    isHeld: () => client !== null && isSure(),
    prove: () => (client !== null && isSure() ? Promise.resolve(true) : prove()),
    mayAct: () => !isOver && (client === null ? standby === null : isSure()),
    async release() {
      isOver = true
      const held = client
      client = null
      await held?.end()
    },
  }
}

/** The row names another server. */
const fenced = new Error('another server took the database')
const takenOver = 'another Quarterdeck server took over the Postgres database, or it was restored from a backup'
const unsure =
  'no answer from the Postgres database for more than 4 s; a standby may be taking over, so this server ends'
export const replica = 'DATABASE_URL leads to a replica that can only be read; name the primary server'

/** Without waiting: a silent database never confirms the end. */
const leave = (client: Client) => void client.end().catch(() => {})

type Session = Pick<Client, 'query'>

/** Errors: Refusal if a newer version has migrated the database. */
async function demandKnown(session: Session): Promise<void> {
  const { rows: tables } = await session.query<{ is: boolean }>(
    "select to_regclass('kysely_migration') is not null as is",
  )
  if (!tables[0]?.is) return
  const { rows } = await session.query<{ name: string }>('select name from kysely_migration')
  const newer = rows.find(({ name }) => !migrationNames.includes(name))
  if (newer) throw new Refusal(newerDatabase(newer.name))
}

async function pidOf(session: Session): Promise<number> {
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/** The session’s backend. In transaction mode, a pooler gives a second session the backend of the first one, which gets another while that is busy. Its lock would be anybody’s. */
async function refusePooler(session: Session, pool: Pool): Promise<number> {
  const own = await pidOf(session)
  const other = await pool.connect()
  try {
    await other.query('begin')
    if ((await pidOf(other)) === own || (await pidOf(session)) !== own) throw new Refusal(pooled)
    await other.query('rollback')
    other.release()
    return own
  } catch (error) {
    other.release(true)
    throw error
  }
}

const pooled =
  'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode=transaction, which can’t keep the lock of a server; use pool_mode=session, or the address of PostgreSQL itself'
