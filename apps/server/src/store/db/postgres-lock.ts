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

/** A host that vanished frees the lock within some 5 s, not after the two hours of most systems. */
const keepalives = 'set tcp_keepalives_idle = 2; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3'

/** Whether this session has its own backend still, and that backend the lock. */
const beat = `select pg_backend_pid() as pid, exists (select from pg_locks where locktype = 'advisory'
  and classid = 0 and objid = ${lockKey} and pid = pg_backend_pid() and granted) as held`

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

  async function attempt(): Promise<Client | null> {
    const fresh = await connect()
    try {
      await refusePooler(fresh, pool)
      await fresh.query(keepalives)
      const { rows } = await fresh.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey])
      if (rows[0]?.free) return fresh
    } catch (error) {
      leave(fresh)
      throw error
    }
    leave(fresh)
    return null
  }

  async function hold(fresh: Client): Promise<void> {
    const own = await pidOf(fresh)
    client = fresh
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
        const fresh = isOver ? null : await attempt()
        if (isOver) return void (fresh && leave(fresh))
        if (fresh === null) return events.taken()
        await hold(fresh)
        return events.regained()
      } catch {}
    }
  }

  const first = await attempt()
  if (first === null) return null
  await hold(first)
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

/** In transaction mode, a pooler gives a second session the backend of the first one, which gets another while that is busy. Its lock would be anybody’s. */
async function refusePooler(session: Session, pool: Pool): Promise<void> {
  const own = await pidOf(session)
  const other = await pool.connect()
  try {
    await other.query('begin')
    if ((await pidOf(other)) === own || (await pidOf(session)) !== own) throw new Refusal(pooled)
    await other.query('rollback')
    other.release()
  } catch (error) {
    other.release(true)
    throw error
  }
}

const pooled =
  'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode=transaction, which can’t keep the lock of a server; use pool_mode=session, or the address of PostgreSQL itself'
