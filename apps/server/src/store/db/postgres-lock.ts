import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { Refusal } from '../../kernel/refusal.ts'

const lockKey = 7_146_001
const retryMs = 500
const beatEveryMs = 2000

export interface PostgresLock {
  /** False while disconnected: another server may have taken over, so nothing may be written. */
  isHeld(): boolean
  release(): Promise<void>
}

interface LockEvents {
  /** The connection or the lock is lost; retries follow. */
  lost(error: Error): void
  regained(): void
  /** Another server took the database. No retry follows. */
  taken(): void
}

/** A host that vanished frees the lock within some 5 s, not after the two hours of most systems; also while it owes PostgreSQL a receipt. */
const keepalives =
  'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3; set tcp_user_timeout = 5000'

const ofLock = `locktype = 'advisory' and classid = 0 and objid = ${lockKey} and granted
  and database = (select oid from pg_database where datname = current_database())`

/** Whether this session has its own backend still, and that backend the lock. */
const beat = `select pg_backend_pid() as pid, exists (select from pg_locks where ${ofLock} and pid = pg_backend_pid()) as held`

/**
 * Takes the lock, proves it every `beatEveryMs`, and takes it again after each loss. `connect`: a session whose queries have a time limit. Null if another
 * server holds it. Errors: those of the first connection; Refusal if a pooler shares backends.
 */
export async function takeLock(
  connect: () => Promise<Client>,
  pool: Pool,
  events: LockEvents,
): Promise<PostgresLock | null> {
  let client: Client | null = null
  let isOver = false
  /** The backend that held the lock last. PostgreSQL may not know yet that its session is gone. */
  let lastOwn: number | null = null

  /** False if another server has the lock. */
  async function attempt(): Promise<boolean> {
    const fresh = await connect()
    try {
      const own = await refusePooler(fresh, pool)
      await fresh.query(keepalives)
      const { rows } = await fresh.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey])
      if (rows[0]?.free) {
        if (isOver) leave(fresh)
        else hold(fresh, own)
        return true
      }
      const holder = await fresh.query<{ pid: number }>(`select pid from pg_locks where ${ofLock}`)
      const pid = holder.rows[0]?.pid
      if (lastOwn !== null && (pid === undefined || pid === lastOwn)) throw new Error('the former session has the lock')
      leave(fresh)
      return false
    } catch (error) {
      leave(fresh)
      throw error
    }
  }

  function hold(fresh: Client, own: number): void {
    client = fresh
    lastOwn = own
    const lose = (error: Error) => {
      if (client !== fresh) return
      client = null
      leave(fresh)
      events.lost(error)
      void regain()
    }
    fresh.on('error', lose)
    fresh.on('end', () => lose(new Error('the connection ended')))
    void prove(fresh, own).catch(lose)
  }

  async function prove(held: Client, own: number): Promise<void> {
    while (client === held) {
      await sleep(beatEveryMs, undefined, { ref: false })
      if (client !== held) return
      const { rows } = await held.query<{ pid: number; held: boolean }>(beat)
      if (rows[0]?.pid !== own || !rows[0].held) throw new Error('the lock is gone')
    }
  }

  async function regain(): Promise<void> {
    while (!isOver) {
      await sleep(retryMs, undefined, { ref: false })
      try {
        if (isOver) return
        const isOurs = await attempt()
        if (!isOver) return isOurs ? events.regained() : events.taken()
      } catch {}
    }
  }

  if (!(await attempt())) return null
  return {
    isHeld: () => client !== null,
    async release() {
      isOver = true
      const held = client
      client = null
      await held?.end()
    },
  }
}

/** Without waiting: a silent database never confirms the end. */
const leave = (client: Client) => void client.end().catch(() => {})

type Session = Pick<Client, 'query'>

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
