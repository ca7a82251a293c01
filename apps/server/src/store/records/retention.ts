import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import type { ServerRecords } from './rows.ts'

const minute = 60_000
const hour = 60 * minute
const checkEveryMs = minute
/** A larger deviation from real time means that the clock was set. */
const jumpMs = 5 * minute
/** How long a changed clock must run stably to be trusted. */
const proveMs = 24 * hour
/** After a longer downtime the clock must prove itself first. */
const longestOffMs = 24 * hour

/** The time by which old records are deleted. It follows the clock but not its jumps: a clock that is wrong for a minute must not cost the past. */
export type Retention = Awaited<ReturnType<typeof createRetention>>

export async function createRetention(parts: {
  db: Db
  clock: Clock
  log: Logger
  servers: Pick<ServerRecords, 'all'>
}) {
  const { clock, log } = parts
  let seen = clock.now()
  let trusted = seen
  /** Ms until the clock is trusted. */
  let doubtMs = 0
  let cancel = () => {}

  function doubt(byMs: number) {
    doubtMs = proveMs
    const by = `${Math.abs(byMs) >= 48 * hour ? `${Math.round(Math.abs(byMs) / (24 * hour))} d` : `${Math.round(Math.abs(byMs) / minute)} min`}`
    log.warn(
      { clock: new Date(clock.now()).toISOString() },
      `the clock was set ${byMs > 0 ? 'forward' : 'back'} by ${by}; check it. Cleanup is paused until the clock has been stable for a day`,
    )
  }

  function check() {
    const now = clock.now()
    const moved = now - seen
    seen = now
    if (Math.abs(moved - checkEveryMs) > jumpMs) doubt(moved - checkEveryMs)
    else if (doubtMs > 0) {
      doubtMs -= checkEveryMs
      if (doubtMs <= 0) log.info('clock stable for a day; resuming cleanup')
    }
    trusted = doubtMs > 0 ? Math.min(now, trusted + checkEveryMs) : now
    cancel = clock.after(checkEveryMs, check)
  }

  const known = await newestKnown(parts, trusted)
  if (known !== null && trusted - known > longestOffMs) {
    trusted = known
    doubtMs = proveMs
    log.info('the server was off for a long time; cleanup starts after a day of uptime')
  }
  cancel = clock.after(checkEveryMs, check)
  return {
    now: () => Math.min(clock.now(), trusted + checkEveryMs),
    stop: (): void => cancel(),
  }
}

async function newestKnown(
  { db, servers }: { db: Db; servers: Pick<ServerRecords, 'all'> },
  now: number,
): Promise<number | null> {
  const audit = await db.selectFrom('audit').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const heard = servers.all().map((row) => row.last_seen_at)
  const times = [audit?.at, ...heard].filter((at): at is number => typeof at === 'number' && at <= now)
  return times.reduce((newest: number | null, at) => Math.max(newest ?? at, at), null)
}
