import { type Insertable, sql } from 'kysely'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import { inSlices } from '../../store/db/clearing.ts'
import { excluded } from '../../store/db/columns.ts'
import type { EventFactsTable, EventsTable } from '../../store/db/schema.ts'
import type { LiveState } from '../live/live-store.ts'
import { createEventTracker, type Events, type ServerEvent } from './event-tracker.ts'

const hour = 3_600_000
const yearMs = 365 * 24 * hour
const most = { kept: 2000, hourly: 200 }
const pruneEvery = 100
const writeMs = 1000
const maxWaiting = 20_000
const slice = 200

export interface StoredEvent {
  id: number
  at: number
  kind: string
  params: unknown
}

/** `from` and `to`: inclusive times. */
export interface EventsWanted {
  before: number | null
  limit: number
  kind?: string | undefined
  from?: number
  to?: number
}

export interface EventStore extends Events {
  /** Newest first. */
  list(serverId: number, wanted: EventsWanted): Promise<StoredEvent[]>
  readonly engine: Engine
}

export function createEvents(
  { db, servers, clock, retention, log }: Pick<Base, 'db' | 'servers' | 'clock' | 'retention' | 'log'>,
  live: LiveState,
): EventStore {
  const waiting: Insertable<EventsTable>[] = []
  const facts = new Map<number, EventFactsTable>()
  const counts = new Map<number, { hour: number; inHour: number; all: number }>()
  let writing = Promise.resolve()
  let problem: string | null = null
  let cancel = () => {}
  let unlisten = () => {}
  let prunedAt = 0
  let lost = 0
  const tracker = createEventTracker({ servers, clock }, live, record)

  function record({ serverId, kind, params, at = clock.now() }: ServerEvent): void {
    const count = counts.get(serverId) ?? { hour: 0, inHour: 0, all: 0 }
    const now = Math.floor(clock.now() / hour)
    const inHour = count.hour === now ? count.inHour + 1 : 1
    counts.set(serverId, { hour: now, inHour, all: count.all + 1 })
    if (inHour > most.hourly) return
    waiting.push({ server_id: serverId, at, kind, params: JSON.stringify(params) })
    if (waiting.length > maxWaiting) {
      waiting.shift()
      lost += 1
    }
  }

  function write(): Promise<void> {
    writing = writing.then(writeWaiting)
    return writing
  }

  async function writeWaiting(): Promise<void> {
    for (const row of tracker.changed()) facts.set(row.server_id, row)
    try {
      while (waiting.length > 0) await writeEvents(waiting.splice(0, slice))
      while (facts.size > 0) await putFacts([...facts.values()].slice(0, slice))
      await pruneOld()
      if (lost > 0) log.error({ events: lost }, 'event queue full; the oldest events were dropped')
      lost = 0
      problem = null
    } catch (error) {
      if (problem === null) log.error({ err: error }, 'cannot write events')
      problem = `cannot write events: ${waiting.length} queued`
    }
  }

  async function writeEvents(events: readonly Insertable<EventsTable>[]): Promise<void> {
    try {
      await db.insertInto('events').values(events).execute()
    } catch (error) {
      waiting.unshift(...events)
      throw error
    }
    const written = new Map<number, number>()
    for (const { server_id } of events) written.set(server_id, (written.get(server_id) ?? 0) + 1)
    for (const [id, count] of written) if (counts.get(id)!.all % pruneEvery < count) await pruneServer(id)
  }

  async function putFacts(rows: readonly EventFactsTable[]): Promise<void> {
    await db
      .insertInto('event_facts')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('server_id').doUpdateSet(excluded('online', 'boot_time', 'version', 'address')),
      )
      .execute()
    for (const row of rows) if (facts.get(row.server_id) === row) facts.delete(row.server_id)
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

  async function pruneOld(): Promise<void> {
    const now = retention.now()
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
    cancel = clock.after(writeMs, () => void write().then(wait))
  }

  return {
    record,
    async list(serverId, { before, limit, kind, from = 0, to = Number.MAX_SAFE_INTEGER }) {
      await (waiting.some((event) => event.server_id === serverId) ? write() : writing)
      let query = db
        .selectFrom('events')
        .select(['id', 'at', 'kind', 'params'])
        .where('server_id', '=', serverId)
        .where('at', '>=', from)
        .where('at', '<=', to)
      if (before !== null) query = query.where('id', '<', before)
      if (kind) query = query.where('kind', '=', kind)
      const rows = await query.orderBy('id', 'desc').limit(limit).execute()
      return rows.map((row) => ({ ...row, params: JSON.parse(row.params) as unknown }))
    },
    engine: {
      name: 'events',
      async start() {
        tracker.load(await db.selectFrom('event_facts').selectAll().execute())
        prunedAt = retention.now()
        tracker.start()
        unlisten = servers.onChange(({ before, after }) => {
          if (!before && after) record({ serverId: after.id, kind: 'enrolled', params: {} })
        })
        wait()
      },
      problem: () => problem,
      async stop() {
        unlisten()
        tracker.stop()
        cancel()
        await writing
        cancel()
        await write()
        if (problem !== null) throw new Error(problem)
      },
    },
  }
}
