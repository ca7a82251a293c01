import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBackup } from './backup.ts'

let folder: string
let writer: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-backup-'))
})
afterEach(() => {
  writer?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Moves one from `a` to `b` in each transaction, all over the file, and empties the log as often as it can. */
const moving = `
  const database = new (require('better-sqlite3'))(process.argv[1], { timeout: 5000 })
  const take = database.prepare('update a set n = n - 1 where id = ?')
  const give = database.prepare('update b set n = n + 1 where id = ?')
  for (let turn = 1; ; turn += 1) {
    database.transaction(() => {
      take.run(turn % 4000)
      give.run((turn * 7) % 4000)
    })()
    if (turn % 50 === 0) database.pragma('wal_checkpoint(PASSIVE)')
    if (turn === 200) console.log('ready')
  }
`

test('R-06: a copy of a database that is written to and checkpointed all the while is one moment of it', async () => {
  const file = join(folder, 'quarterdeck.db')
  const database = new Driver(file)
  database.pragma('journal_mode = WAL')
  for (const name of ['a', 'b']) database.exec(`create table ${name} (id integer primary key, n integer, fill text)`)
  database.transaction(() => {
    for (let id = 0; id < 4000; id += 1)
      for (const name of ['a', 'b'])
        database.prepare(`insert into ${name} values (?, 1000, ?)`).run(id, 'x'.repeat(2000))
  })()
  database.close()
  writer = spawn(process.execPath, ['-e', moving, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(writer.stdout!, 'data')

  const kept = join(folder, 'kept')
  await makeBackup(folder, kept, 0)
  expect(writer.exitCode).toBeNull()
  const copy = new Driver(join(kept, 'quarterdeck.db'), { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  const sum = copy.prepare('select (select sum(n) from a) + (select sum(n) from b)').pluck()
  expect(sum.get()).toBe(8_000_000)
  expect(Number(copy.prepare('select sum(n) from a').pluck().get())).toBeLessThanOrEqual(4_000_000 - 200)
  copy.close()
})
