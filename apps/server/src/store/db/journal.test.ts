import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@qd/core/errors'
import Driver from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Journal, openJournal as openWith, together } from './journal.ts'
import type { Db } from './schema.ts'
import { databaseFile, openSqlite } from './sqlite.ts'

let folder: string
let db: Db
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-journal-'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (key: string) => sql`insert into settings values (${key}, 'v')`.execute(db)
/** Nothing keeps the log of these tests from being emptied. */
const openJournal = (path: string) => openWith(path, (error) => expect(error).toBeUndefined())
const file = () => join(folder, databaseFile)

/** A disk that is waited for until the test lets go, and what was asked of it. */
function slowDisk() {
  const waiting: ((error?: Error) => void)[] = []
  const open = async (path: string): Promise<Journal> => ({
    ...(await openJournal(path)),
    toDisk: () => new Promise((resolve, reject) => waiting.push((error) => (error ? reject(error) : resolve()))),
  })
  return { open, waiting }
}

test('issue 11: while the disk makes one write wait, others read and write; each is answered when it is on the disk', async () => {
  const { open, waiting } = slowDisk()
  db = await openSqlite(folder, { openJournal: open })
  let isFirst = false
  const first = insert('first').then(() => {
    isFirst = true
  })
  const second = insert('second')
  await expect.poll(() => waiting.length).toBe(2)
  const { rows } = await sql<{ key: string }>`select key from settings order by key`.execute(db)
  expect(rows.map(({ key }) => key)).toEqual(['first', 'second'])
  expect(isFirst).toBe(false)
  waiting[0]!()
  await first
  waiting[1]!()
  await second
})

test('what changes nothing waits for no disk, and a transaction that changed something does', async () => {
  const { open, waiting } = slowDisk()
  db = await openSqlite(folder, { openJournal: open })
  await db.transaction().execute((inside) => sql`select 1`.execute(inside))
  await sql`delete from settings where key = 'gone'`.execute(db)
  expect(waiting).toHaveLength(0)
  const changing = db
    .transaction()
    .execute((inside) => sql`insert into settings values ('a', 'b') returning key`.execute(inside))
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]!()
  await changing
})

test('a disk that has no room when it is waited for refuses the write by name', async () => {
  const { open, waiting } = slowDisk()
  const heard: string[] = []
  db = await openSqlite(folder, { openJournal: open, storage: { failed: (reason) => heard.push(reason) } })
  const writing = insert('key')
  await expect.poll(() => waiting.length).toBe(1)
  waiting[0]!(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
  const error = await writing.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'diskFull' })
  expect(heard).toEqual(['no space left'])
})

test('who comes while the disk is waited for shares the next wait, also after one that failed', async () => {
  const waits: ((error?: Error) => void)[] = []
  const sync = together(
    () => new Promise((resolve, reject) => waits.push((error) => (error ? reject(error) : resolve()))),
  )
  const first = sync()
  await expect.poll(() => waits.length).toBe(1)
  const others = [sync(), sync(), sync()]
  expect(waits).toHaveLength(1)
  waits[0]!(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await expect.poll(() => waits.length).toBe(2)
  waits[1]!()
  await Promise.all(others)
  expect(waits).toHaveLength(2)
})

test('a long log is emptied by another thread, and nothing is lost', async () => {
  db = await openSqlite(folder, { openJournal })
  const log = () => statSync(`${file()}-wal`).size
  const big = 'x'.repeat(100_000)
  const lengths: number[] = []
  for (let n = 0; n < 60; n += 1) {
    await sql`insert into settings values (${`key ${n}`}, ${big})`.execute(db)
    lengths.push(log())
  }
  await expect.poll(log).toBeLessThan(4 * 1024 * 1024)
  expect(Math.max(...lengths)).toBeGreaterThan(4 * 1024 * 1024)
  await insert('after')
  await db.destroy()
  const again = new Driver(file(), { readonly: true })
  expect(again.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(again.prepare('select count(*) from settings').pluck().get()).toBe(61)
  again.close()
})

test('while another program reads, the log is kept, and nothing fails', async () => {
  db = await openSqlite(folder, { openJournal })
  await insert('before')
  const reader = new Driver(file(), { readonly: true })
  reader.exec('begin')
  reader.prepare('select count(*) from settings').get()
  for (let n = 0; n < 50; n += 1)
    await sql`insert into settings values (${`key ${n}`}, ${'x'.repeat(100_000)})`.execute(db)
  expect(reader.prepare('select count(*) from settings').pluck().get()).toBe(1)
  reader.close()
  const { rows } = await sql<{ n: number }>`select count(*) as n from settings`.execute(db)
  expect(rows[0]!.n).toBe(51)
})
