import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import type { HistoryTables } from '../../store/db/schema.ts'
import { createGatherer, metricNames } from './figures.ts'
import { openHistoryIn } from './postgres.ts'
import type { ReadQuery } from './read.ts'
import { createResultGatherer } from './services.ts'
import { openHistoryFile } from './sqlite.ts'
import { type Keep, tiers } from './steps.ts'
import type { Batch, HistoryStore } from './store.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
const start = Date.parse('2026-11-20T00:00:00Z')
const keep: Keep = [26 * hour, 8 * day, 365 * day]
const cpu = metricNames.indexOf('cpu')

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-history-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function batch(at: number, samples: Readonly<Record<number, number>>, more: Partial<Batch> = {}): Batch {
  const gatherer = createGatherer()
  for (const [id, value] of Object.entries(samples)) gatherer.add(Number(id), { cpu: value })
  return { at, figures: gatherer.take(), results: new Float64Array(), sums: [], keep, now: at + 30 * second, ...more }
}

const ask = (query: Partial<ReadQuery>): ReadQuery => ({
  services: [0],
  servers: [1],
  metrics: [cpu],
  from: start,
  to: start + 400 * day,
  tier: 0,
  stepMs: 30 * second,
  ...query,
})

async function means(store: HistoryStore, query: Partial<ReadQuery>): Promise<[number, number][]> {
  const {
    series: [series],
  } = await store.read(ask(query))
  return (series?.steps ?? []).map(({ at, figures }) => [(at - start) / minute, figures[0]![0]])
}

async function writeSteps(store: HistoryStore, count: number, from = start): Promise<void> {
  for (let index = 0; index < count; index++)
    await store.write(batch(from + index * 30 * second, { 1: index % 100, 2: 50 }))
  await store.tidied()
}

const databases = {
  sqlite: () => openHistoryFile(join(folder, 'history.db')),
  postgres: async () => openHistoryIn((await openForTest('postgres')).withTables<HistoryTables>()),
} as const

describe.each(Object.entries(databases))('history on %s', (_, open) => {
  let store: HistoryStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())

  test('what was written is read, what is not yet in rows included', async () => {
    await writeSteps(store, 45)
    const read = await means(store, {})
    expect(read).toHaveLength(45)
    expect(read.slice(0, 3)).toEqual([
      [0, 0],
      [0.5, 1],
      [1, 2],
    ])
    expect(read.at(-1)).toEqual([22, 44])
  })

  test('five minutes and hours are rolled up from what is past', async () => {
    await writeSteps(store, 241)
    expect((await means(store, { tier: 1, stepMs: tiers[1].stepMs })).slice(0, 3)).toEqual([
      [0, 4.5],
      [5, 14.5],
      [10, 24.5],
    ])
    const { series: hours } = await store.read(ask({ tier: 2, stepMs: hour, servers: null, metrics: null }))
    expect(hours.map(({ serverId, steps }) => [serverId, steps.map(({ n }) => n)])).toEqual([
      [1, [120, 120, 1]],
      [2, [120, 120, 1]],
    ])
    expect(hours[0]!.steps[0]!.figures[cpu]).toEqual([expect.closeTo(42.83, 1), 0, 99, 19])
  })

  test('series come in the order of their IDs, whoever reported first', async () => {
    await store.write(batch(start, { 2: 1 }))
    await store.write(batch(start + 30 * second, { 1: 1, 2: 1 }))
    const { series } = await store.read(ask({ servers: null }))
    expect(series.map(({ serverId }) => serverId)).toEqual([1, 2])
  })

  test('only the wanted servers and times are answered, in the wanted steps', async () => {
    await writeSteps(store, 60)
    const query = ask({
      servers: [2, 3],
      from: start + 10 * minute + 1,
      to: start + 20 * minute - 1,
      stepMs: 5 * minute,
    })
    const { series: found } = await store.read(query)
    expect(found.map(({ serverId, steps }) => [serverId, steps.map(({ at }) => (at - start) / minute)])).toEqual([
      [2, [10, 15]],
    ])
  })

  test('a clock that is set back adds to what was, one that is set ahead leaves a gap', async () => {
    await store.write(batch(start + hour, { 1: 10 }))
    await store.write(batch(start + 2 * hour, { 1: 20 }))
    await store.tidied()
    await store.write(batch(start + hour, { 1: 30 }))
    await store.write(batch(start + 3 * hour, { 1: 40 }))
    await store.tidied()
    const expected = [
      [60, 20],
      [120, 20],
      [180, 40],
    ]
    expect(await means(store, {})).toEqual(expected)
    expect(await means(store, { tier: 2, stepMs: hour })).toEqual(expected)
  })

  test('what was left to do for more than one row is done at once', async () => {
    for (const at of [0, 10, 20, 30]) await store.write(batch(start + at * minute, { 1: at }))
    await store.tidied()
    await store.write(batch(start + 50 * minute, { 1: 50 }))
    await store.tidied()
    const {
      series: [series],
    } = await store.read(ask({ tier: 2, stepMs: hour }))
    expect(series!.steps).toEqual([{ at: start, n: 5, down: 0, figures: [[22, 0, 50, 50]] }])
  })

  test('what is past its time is deleted, tier by tier', async () => {
    await writeSteps(store, 41)
    await store.write(batch(start + 27 * hour, { 1: 7 }))
    await store.write(batch(start + 27 * hour + 10 * minute, { 1: 8 }))
    await store.tidied()
    expect(await means(store, {})).toEqual([
      [27 * 60, 7],
      [27 * 60 + 10, 8],
    ])
    expect(await means(store, { tier: 1, stepMs: tiers[1].stepMs })).toHaveLength(7)
    await store.write(batch(start + 10 * day, { 1: 9 }))
    await store.write(batch(start + 10 * day + 10 * minute, { 1: 9 }))
    await store.tidied()
    expect(await means(store, { tier: 1, stepMs: tiers[1].stepMs })).toHaveLength(2)
    expect(await means(store, { tier: 2, stepMs: hour })).toHaveLength(3)
  })

  test('results of services are kept by reporter, failures without a delay', async () => {
    const results = createResultGatherer()
    const add = (serverId: number, delay: number | null) =>
      results.add({ serviceId: 4, serverId, at: start, delay, ok: delay !== null })
    for (const delay of [10, 20, null]) add(1, delay)
    add(2, null)
    await store.write(batch(start, { 1: 3 }, { results: results.take() }))
    await store.write(batch(start + hour, { 1: 4 }))
    await store.tidied()
    const query = ask({ services: [4], servers: null, metrics: null, tier: 2, stepMs: hour })
    expect((await store.read(query)).series).toEqual([
      { serviceId: 4, serverId: 1, steps: [{ at: start, n: 2, down: 1, figures: [[15, 10, 20, 20]] }] },
      { serviceId: 4, serverId: 2, steps: [{ at: start, n: 0, down: 1, figures: [null] }] },
    ])
    expect(await means(store, {})).toHaveLength(2)
  })

  test('sums are replaced by what they have come to', async () => {
    const row = { service_id: 4, span_ms: hour, slot: 489_000, up: 1, down: 0, delay: 12.5 }
    await store.write(batch(start, {}, { sums: [row, { ...row, service_id: 5 }] }))
    await store.write(batch(start, {}, { sums: [{ ...row, up: 2 }] }))
    expect((await store.sums()).sort((a, b) => a.service_id - b.service_id)).toEqual([
      { ...row, up: 2 },
      { ...row, service_id: 5 },
    ])
  })
})

describe('the file', () => {
  const file = () => join(folder, 'history.db')

  test('goes on where it was: the journal is read again', async () => {
    const before = await openHistoryFile(file())
    await writeSteps(before, 25)
    await before.close()
    const after = await openHistoryFile(file())
    expect(await means(after, {})).toHaveLength(25)
    await writeSteps(after, 25, start + 25 * 30 * second)
    expect(await means(after, {})).toHaveLength(50)
    expect((await means(after, { tier: 1, stepMs: tiers[1].stepMs })).map(([at]) => at)).toEqual([0, 5, 10, 15, 20])
    await after.close()
  })

  test('counts nothing twice that was in rows and still in the journal when the power went', async () => {
    const before = await openHistoryFile(file())
    await writeSteps(before, 20)
    await before.close()
    const database = new Driver(file())
    const journal = database.prepare('select at, data from history_journal').all() as { at: number; data: string }[]
    expect(journal).toHaveLength(20)
    const second = await openHistoryFile(file())
    await second.write(batch(start + 10 * minute, { 1: 5 }))
    await second.tidied()
    await second.close()
    for (const { at, data } of journal)
      database.prepare('insert into history_journal (at, data) values (?, ?)').run(at, data)
    database.close()
    const after = await openHistoryFile(file())
    await after.write(batch(start + 20 * minute, { 1: 5 }))
    await after.tidied()
    const {
      series: [series],
    } = await after.read(ask({ tier: 2, stepMs: hour }))
    expect(series!.steps.map(({ n }) => n)).toEqual([22])
    await after.close()
  })

  test('is put aside where it is damaged', async () => {
    writeFileSync(file(), 'this is no database, and it is long enough to be told from an empty one. '.repeat(20))
    const store = await openHistoryFile(file())
    await store.write(batch(start, { 1: 5 }))
    expect(await means(store, {})).toEqual([[0, 5]])
    await store.close()
    expect(readdirSync(folder).sort()).toEqual(['history.db', 'history.db.damaged'])
  })

  test('issue 10.11: a server that is killed while it makes the file can go on with it', async () => {
    const kill = (left: number) => `
      import Driver from 'better-sqlite3'
      let left = ${left}
      const prepare = Driver.prototype.prepare
      Driver.prototype.prepare = function (text) {
        if (text.startsWith('create') && left-- === 0) process.kill(process.pid, 'SIGKILL')
        return prepare.call(this, text)
      }
      const { openHistoryFile } = await import('./apps/server/src/watch/history/sqlite.ts')
      await openHistoryFile(${JSON.stringify(file())})
      process.exit(0)`
    for (const left of [0, 1, 2]) {
      const args = ['--import', 'tsx', '--input-type=module', '-e', kill(left)]
      expect(spawnSync(process.execPath, args, { cwd: root }).signal).toBe('SIGKILL')
    }
    const store = await openHistoryFile(file())
    await store.write(batch(start, { 1: 5 }))
    expect(await means(store, {})).toEqual([[0, 5]])
    await store.close()
  })

  test('R-04 gives back what retention has freed', async () => {
    const store = await openHistoryFile(file())
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [index + 1, index]))
    for (let at = start; at < start + 2 * hour; at += 30 * second) await store.write(batch(at, many))
    await store.tidied()
    const { sizeBytes: full } = await store.write(batch(start + 2 * hour, { 1: 1 }))
    await store.tidied()
    await store.write(batch(start + 400 * day, { 1: 1 }))
    await store.tidied()
    const { sizeBytes: left } = await store.write(batch(start + 400 * day + hour, { 1: 1 }))
    expect(full).toBeGreaterThan(7_000_000)
    expect(left).toBeLessThan(full / 2)
    await store.close()
  })
})
