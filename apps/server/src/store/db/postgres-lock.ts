import type { Client } from 'pg'

/** Any number that is ours alone: one server per database. */
const lockKey = 7_146_001
/** Between two tries to take the lock again. */
const retryMs = 500

/** The right of one server to use a database: an advisory lock, which PostgreSQL keeps as long as its connection lives. */
export interface PostgresLock {
  /** False while the connection is lost; nothing may be written then, since another server may have begun. */
  isHeld(): boolean
  release(): Promise<void>
}

/** What becomes of the lock while the server runs. */
export interface LockEvents {
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
export async function takeLock(connect: () => Promise<Client>, events: LockEvents): Promise<PostgresLock | null> {
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
