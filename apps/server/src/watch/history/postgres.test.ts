import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startLine } from '../../../../../tests/support/peers/line.ts'
import { type Postgres as Cluster, startPostgres } from '../../../../../tests/support/peers/postgres.ts'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createLiveStore, type LiveStore } from '../../fleet/live/live-store.ts'
import { openPostgres, type Postgres } from '../../store/db/postgres.ts'
import { isHeldAt } from '../../store/db/postgres-pool.ts'
import { createHistory } from './recorder.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

let cluster: Cluster
beforeAll(async () => {
  cluster = await startPostgres()
})
afterAll(() => cluster.close())

let clock: TestClock
let base: TestBase
let live: LiveStore
let server: Postgres
/** Why the server no longer has the database. */
let takenBy: string | null
/** For queries beside the server. */
let database: pg.Client
let count = 0
beforeEach(async () => {
  count += 1
  const admin = new pg.Client(cluster.url)
  await admin.connect()
  await admin.query(`create database history_${count}`)
  await admin.end()
  const url = cluster.url.replace(/postgres$/, `history_${count}`)
  clock = createTestClock()
  base = await createTestBase(clock)
  live = createLiveStore(base)
  server = await open(url)
  database = new pg.Client(url)
  await database.connect()
})
afterEach(async () => {
  await database.end()
  await server.db.destroy()
  await base.close()
})

function open(url: string): Promise<Postgres> {
  takenBy = null
  const taken = (why: string) => {
    takenBy = why
  }
  return openPostgres(url, { log: base.log, taken })
}

async function begin() {
  const made = createHistory({ ...base, postgres: server.place }, live)
  await made.engine.start()
  return made
}

const journal = async () => (await database.query('select at from history_journal')).rows.length

/** Sessions of the server whose last query was one of history. */
async function sessions(): Promise<number> {
  const those = "select pid from pg_stat_activity where application_name = $1 and query like '%history\\_%'"
  return (await database.query(those, [server.place.session])).rows.length
}

const probe = (history: { service: (point: never) => void }, serviceId = 2) =>
  history.service({ serviceId, serverId: 1, at: clock.now(), delay: 5, ok: true } as never)

test('on Postgres history is in the one database, over a session of its thread', async () => {
  expect(await sessions()).toBe(0)
  const { history, engine } = await begin()
  expect(await sessions()).toBe(1)
  const start = clock.now()
  for (let turn = 0; turn < 21; turn++) {
    live.reportState(1, { cpu: turn })
    probe(history)
    history.host(1, [['fs_used:/var', turn]])
    await clock.advance(30 * second)
  }
  const query = { servers: [1], metrics: ['cpu', 'fs_used:/var'], from: start, to: clock.now(), stepMs: 5 * minute }
  const found = await history.points(query)
  expect(found.series[0]!.points.map(([, mean]) => mean)).toEqual([4.5, 14.5, 20])
  expect(found.series[1]!.points.slice(0, 3).map(([, mean]) => mean)).toEqual([4.5, 14.5, 20])
  await engine.stop()
  await expect.poll(sessions).toBe(0)
  const again = await begin()
  expect(again.history.sizeBytes()).toBeGreaterThan(10_000)
  expect(await again.history.points(query)).toEqual(found)
  expect(again.history.serviceDays(2).at(-1)).toEqual({ up: 21, down: 0, delay: 5 })
  await again.engine.stop()
  expect(existsSync(join(base.config.data, 'history.db'))).toBe(false)
})

test('issue 10.14: history that can’t be opened is tried again, and adds to the sums that it could not read', async () => {
  const first = await begin()
  probe(first.history)
  await first.engine.stop()
  await database.query('alter table history_journal rename to away')
  await database.query('alter table history_sums rename to sums_away')
  const { history, engine } = await begin()
  expect(engine.problem!()).toContain('history_')
  probe(history)
  await clock.advance(30 * second)
  await expect.poll(() => engine.problem!()).toContain('cannot write history')
  await database.query('alter table away rename to history_journal')
  await database.query('alter table sums_away rename to history_sums')
  await expect
    .poll(async () => {
      await clock.advance(second)
      return engine.problem!()
    })
    .toBeNull()
  expect(history.serviceDays(2).at(-1)).toEqual({ up: 2, down: 0, delay: 5 })
  await engine.stop()
  const { rows } = await database.query('select up from history_sums order by span_ms')
  expect(rows.map(({ up }) => Number(up))).toEqual([2, 2])
})

test('scale 11: once another server has taken the database, the thread stores nothing more', async () => {
  const { engine } = await begin()
  live.reportState(1, { cpu: 5 })
  await clock.advance(30 * second)
  await expect.poll(journal).toBe(1)
  await database.query("update holder set application_name = 'another'")
  await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    server.place.session,
  ])
  live.reportState(1, { cpu: 6 })
  await clock.advance(30 * second)
  await expect.poll(() => engine.problem!()).toContain('cannot write history')
  await clock.advance(hour)
  expect(await journal()).toBe(1)
  await expect(engine.stop()).rejects.toThrow()
})

test('scale 3: while the database is silent, reads fail with its code and wait for none before, and the end is quick', async () => {
  await server.db.destroy()
  const line = await startLine(cluster.url)
  const url = new URL(cluster.url)
  Object.assign(url, { port: String(line.port), pathname: `history_${count}` })
  server = await open(url.href)
  const { history, engine } = await begin()
  live.reportState(1, { cpu: 5 })
  line.hold()
  // The lock may be unsure of itself before its connection is given up, from when on reads fail.
  await expect.poll(() => isHeldAt(server.place)).toBe(false)
  const query = { servers: [1], metrics: ['cpu'] as const, from: clock.now() - hour, to: clock.now(), stepMs: minute }
  // Less than one query may take.
  const late = sleep(8000, ['late'])
  const reads = [1, 2, 3].map(() => history.points(query).catch(({ code }) => code))
  expect(await Promise.race([Promise.all(reads), late])).toEqual(Array(3).fill('databaseAway'))
  const end = engine.stop().catch(({ message }) => message)
  expect(await Promise.race([end, late])).toBe('lost the database: 1 data points queued')
  line.close()
})

test('scale 3: a database that goes during reads is away for them, not a fault of the server', async () => {
  const { history, engine } = await begin()
  live.reportState(1, { cpu: 5 })
  await clock.advance(30 * second)
  await expect.poll(journal).toBe(1)
  await database.query('alter table history_rows rename to away')
  const query = { servers: [1], metrics: ['cpu'] as const, from: clock.now() - hour, to: clock.now(), stepMs: minute }
  await expect(history.points(query)).rejects.toThrow('history_rows')
  await database.query('alter table away rename to history_rows')
  await database.query('begin; lock table history_rows')
  const read = history.points(query).catch(({ code }) => code)
  const those = "select pid from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'"
  await expect.poll(async () => (await database.query(those, [server.place.session])).rows.length).toBe(1)
  await database.query(those.replace('pid', 'pg_terminate_backend(pid)'), [server.place.session])
  expect(await read).toBe('databaseAway')
  await database.query('commit')
  await engine.stop()
})

test('scale 11: a database that was restored in place gets nothing of the thread, whose connection it left', async () => {
  const { engine } = await begin()
  live.reportState(1, { cpu: 5 })
  await clock.advance(30 * second)
  await expect.poll(journal).toBe(1)
  await database.query("update holder set application_name = 'another'")
  await expect.poll(() => takenBy).not.toBeNull()
  live.reportState(1, { cpu: 6 })
  await expect(engine.stop()).rejects.toThrow('lost the database')
  expect(await journal()).toBe(1)
})
