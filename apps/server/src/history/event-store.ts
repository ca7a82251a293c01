import { sql } from 'kysely'
import { inSlices } from '../db/clearing.ts'
import type { EventFactsTable } from '../db/schema-history.ts'
import type { Base, Engine, LiveState } from '../services.ts'
import { createEventTracker } from './event-tracker.ts'
import type { Events, ServerEvent } from './events.ts'

const hour = 3_600_000
const yearMs = 365 * 24 * hour
/** Most events of one server that are kept, and that are taken in one hour. */
const most = { kept: 2000, hourly: 200 }
/** Events of one server after which it is looked whether it has too many. */
const pruneEvery = 100
/** Events are written together. */
const writeMs = 1000
/** Rows of one insert or delete. */
const slice = 200

/** An event as it is read. */
export interface StoredEvent {
  id: number
  at: number
  kind: string
  params: unknown
}

/** Events with what reads them. */
export interface EventStore extends Events {
  /** The newest first, older than the event `before` where that is given. */
  list(serverId: number, page: { before: number | null; limit: number }): Promise<StoredEvent[]>
  readonly engine: Engine
}

/** Notes what happens to servers, by itself and for others, in a table. */
export function createEvents(
  { db, servers, clock, log }: Pick<Base, 'db' | 'servers' | 'clock' | 'log'>,
  live: LiveState,
): EventStore {
  const waiting: { server_id: number; at: number; kind: string; params: string }[] = []
  const counts = new Map<number, { hour: number; inHour: number; all: number }>()
  let writing: Promise<unknown> = Promise.resolve()
  let trouble: string | null = null
  let cancel = () => {}
  let unlisten = () => {}
  let prunedAt = 0
  const tracker = createEventTracker({ servers, clock }, live, record)

  function record({ serverId, kind, params, at = clock.now() }: ServerEvent): void {
    const count = counts.get(serverId) ?? { hour: 0, inHour: 0, all: 0 }
    const now = Math.floor(clock.now() / hour)
    const inHour = count.hour === now ? count.inHour + 1 : 1
    counts.set(serverId, { hour: now, inHour, all: count.all + 1 })
    if (inHour > most.hourly) return
    waiting.push({ server_id: serverId, at, kind, params: JSON.stringify(params) })
  }

  async function write(): Promise<void> {
    const events = waiting.splice(0)
    const facts = tracker.changed()
    try {
      for (let from = 0; from < events.length; from += slice)
        await db
          .insertInto('events')
          .values(events.slice(from, from + slice))
          .execute()
      for (let from = 0; from < facts.length; from += slice) await putFacts(facts.slice(from, from + slice))
      for (const id of new Set(events.map(({ server_id }) => server_id))) {
        const { all } = counts.get(id)!
        if (all % pruneEvery < events.length) await pruneServer(id)
      }
      await pruneOld()
      trouble = null
    } catch (error) {
      trouble = 'events cannot be stored'
      log.error({ err: error }, trouble)
    }
  }

  async function putFacts(facts: readonly EventFactsTable[]): Promise<void> {
    await db
      .insertInto('event_facts')
      .values(facts)
      .onConflict((conflict) =>
        conflict.column('server_id').doUpdateSet(({ ref }) => ({
          online: ref('excluded.online'),
          boot_time: ref('excluded.boot_time'),
          version: ref('excluded.version'),
          address: ref('excluded.address'),
        })),
      )
      .execute()
  }

  async function pruneServer(id: number): Promise<void> {
    const oldest = db
      .selectFrom('events')
      .select('id')
      .where('server_id', '=', id)
      .orderBy('id', 'desc')
      .offset(most.kept)
      .limit(1)
    await db
      .deleteFrom('events')
      .where('server_id', '=', id)
      .where('id', '<=', sql<number>`coalesce((${oldest}), 0)`)
      .execute()
  }

  /** Once an hour, some rows at a time. */
  async function pruneOld(): Promise<void> {
    const now = clock.now()
    if (Math.abs(now - prunedAt) < hour) return
    prunedAt = now
    const some = db
      .selectFrom('events')
      .select('id')
      .where('at', '<', now - yearMs)
    await inSlices({ rows: slice }, async (rows) => {
      const [result] = await db.deleteFrom('events').where('id', 'in', some.limit(rows)).execute()
      return Number(result?.numDeletedRows ?? 0)
    })
  }

  function wait(): void {
    cancel = clock.after(writeMs, () => {
      writing = write().then(wait)
    })
  }

  return {
    record,
    async list(serverId, { before, limit }) {
      await writing
      let query = db.selectFrom('events').select(['id', 'at', 'kind', 'params']).where('server_id', '=', serverId)
      if (before !== null) query = query.where('id', '<', before)
      const rows = await query.orderBy('id', 'desc').limit(limit).execute()
      return rows.map((row) => ({ ...row, params: JSON.parse(row.params) as unknown }))
    },
    engine: {
      name: 'events',
      async start() {
        tracker.load(await db.selectFrom('event_facts').selectAll().execute())
        prunedAt = clock.now()
        tracker.start()
        unlisten = servers.onChange(({ before, after }) => {
          if (!before && after) record({ serverId: after.id, kind: 'enrolled', params: {} })
        })
        wait()
      },
      trouble: () => trouble,
      async stop() {
        unlisten()
        tracker.stop()
        cancel()
        await writing
        cancel()
        await write()
      },
    },
  }
}
