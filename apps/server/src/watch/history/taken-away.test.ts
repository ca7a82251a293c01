import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGatherer } from './figures.ts'
import { openHistoryFile } from './sqlite.ts'
import type { Batch, HistoryStore } from './store.ts'
import { createHistoryWorker } from './worker.ts'

const start = Date.parse('2026-11-20T00:00:00Z')
let folder: string
let file: string
let store: HistoryStore | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-history-gone-'))
  file = join(folder, 'history.db')
})
afterEach(async () => {
  await store?.close()
  store = null
  rmSync(folder, { recursive: true, force: true })
})

function step(number: number): Batch {
  const gatherer = createGatherer()
  gatherer.add(1, { cpu: number })
  const at = start + number * 30_000
  const keep = [1e9, 1e9, 1e9] as const
  return { at, figures: gatherer.take(), results: new Float64Array(), sums: [], keep, now: at + 30_000 }
}
const stored = () => {
  const database = new Driver(file, { readonly: true })
  const times = database.prepare('select at from history_journal order by id').pluck().all() as number[]
  database.close()
  return times.map((at) => (at - start) / 30_000)
}

test('R-17 a history that is removed while the server runs is begun anew, and that is said', async () => {
  store = createHistoryWorker({ file })
  expect((await store.write(step(0))).note).toBeNull()
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  expect((await store.write(step(1))).note).toContain('was removed while the server was running')
  expect((await store.write(step(2))).note).toBeNull()
  expect(stored()).toEqual([1, 2])
})

test('R-17 a history of no bytes and a damaged one are begun anew, and that is said', async () => {
  writeFileSync(file, '')
  store = createHistoryWorker({ file })
  expect((await store.write(step(0))).note).toContain('was empty')
  await store.close()
  writeFileSync(file, 'no database at all. '.repeat(100))
  store = createHistoryWorker({ file })
  expect((await store.write(step(1))).note).toContain('moved it to')
  expect(existsSync(`${file}.damaged`)).toBe(true)
})

test('R-13 steps wait while the file cannot be made, and are written in their order', async () => {
  mkdirSync(file)
  store = createHistoryWorker({ file })
  for (const number of [0, 1]) await expect(store.write(step(number))).rejects.toThrow()
  rmSync(file, { recursive: true })
  expect((await store.write(step(2))).problem).toBeNull()
  expect(stored()).toEqual([0, 1, 2])
})

test('R-13 tries without a step, one a second, push no step out of memory while the file cannot be made', async () => {
  mkdirSync(file)
  store = createHistoryWorker({ file })
  await expect(store.write(step(0))).rejects.toThrow()
  const figures = createGatherer()
  for (let second = 0; second < 200; second += 1)
    await expect(store.write({ ...step(0), figures: figures.take() })).rejects.toThrow()
  rmSync(file, { recursive: true })
  expect((await store.write({ ...step(0), figures: figures.take() })).problem).toBeNull()
  expect(stored()).toEqual([0])
})

test('R-18 the history of a newer version is left as it is', async () => {
  await (await openHistoryFile(file)).close()
  const database = new Driver(file)
  database.pragma('user_version = 99')
  database.close()
  copyFileSync(file, `${file}.kept`)
  store = createHistoryWorker({ file })
  await expect(store.write(step(0))).rejects.toThrow('was written by a newer version')
})
