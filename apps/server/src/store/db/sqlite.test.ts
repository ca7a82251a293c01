import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@qd/core/errors'
import Driver from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Refusal } from '../../kernel/errors.ts'
import { migrationNames } from './migrate.ts'
import { lockFolder, openSqlite } from './sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-sqlite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const openAndClose = async () => {
  const db = await openSqlite(folder)
  await db.selectFrom('users').selectAll().execute()
  await db.destroy()
}
const file = () => join(folder, 'quarterdeck.db')
const names = (path: string) => {
  const database = new Driver(path)
  const found = database.prepare('select name from kysely_migration order by name').pluck().all()
  database.close()
  return found
}

test('an empty folder gets a database of this version, for its owner only', async () => {
  await openAndClose()
  expect(readdirSync(folder)).toEqual(['quarterdeck.db'])
  expect(names(file())).toEqual(migrationNames)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

test('a change survives a power cut right after the response: each commit waits for the disk', async () => {
  const db = await openSqlite(folder)
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db)
  expect(rows).toEqual([{ synchronous: 2 }])
  await db.destroy()
})

test('a write without room on the disk is refused by name', async () => {
  const heard: string[] = []
  const db = await openSqlite(folder, { failed: (reason) => heard.push(reason) })
  await sql`pragma max_page_count = 1`.execute(db)
  const inside = db
    .transaction()
    .execute((all) => sql`insert into settings values ('big', ${'x'.repeat(1e6)})`.execute(all))
  const error = await inside.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'diskFull' })
  expect(heard).toEqual(['database or disk is full'])
  await db.destroy()
})

test('while another program reads, nothing fails', async () => {
  const db = await openSqlite(folder)
  await sql`insert into settings values ('before', 'v')`.execute(db)
  const reader = new Driver(file(), { readonly: true })
  reader.exec('begin')
  reader.prepare('select count(*) from settings').get()
  for (let n = 0; n < 50; n += 1)
    await sql`insert into settings values (${`key ${n}`}, ${'x'.repeat(100_000)})`.execute(db)
  expect(reader.prepare('select count(*) from settings').pluck().get()).toBe(1)
  reader.close()
  const { rows } = await sql<{ n: number }>`select count(*) as n from settings`.execute(db)
  expect(rows[0]!.n).toBe(51)
  await db.destroy()
})

test('what an interrupted migration left behind is thrown away', async () => {
  writeFileSync(`${file()}.migrating`, 'half of a database')
  await openAndClose()
  expect(readdirSync(folder)).toEqual(['quarterdeck.db'])
})

test('an older database is kept beside the migrated one', async () => {
  const old = new Driver(file())
  old.exec('create table kysely_migration (name text primary key, timestamp text not null)')
  old.exec('create table left_over (id integer)')
  old.close()
  const before = readFileSync(file())
  await openAndClose()
  expect(names(file())).toEqual(migrationNames)
  const kept = readdirSync(folder).find((name) => name.startsWith('quarterdeck.db.before-'))!
  expect(readFileSync(join(folder, kept)).equals(before)).toBe(true)
})

test('a database of a newer version is refused and left as it is', async () => {
  await openAndClose()
  const database = new Driver(file())
  database.prepare("insert into kysely_migration (name, timestamp) values ('9999-later', '')").run()
  database.close()
  const before = readFileSync(file())
  await expect(openSqlite(folder)).rejects.toThrow(/was written by a newer version \(9999-later\)/)
  expect(readFileSync(file()).equals(before)).toBe(true)
})

test('R-09 a folder is held by one, until it is let go', async () => {
  const release = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(Refusal)
  release()
  const again = await lockFolder(folder)
  again()
})
