import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Driver from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, migrationNames } from './migrate.ts'
import type { Database } from './schema.ts'
import { openSqlite } from './sqlite.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-killed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'quarterdeck.db')

/** A database of the first version with something of its user's in it, in the journal alone: its server was killed too. */
async function makeOld(): Promise<void> {
  const database = new Driver(file())
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
  await migrate(db, 'sqlite', migrationNames[0])
  await db.destroy()
  const script = `
    const database = new (require('better-sqlite3'))(${JSON.stringify(file())})
    database.pragma('journal_mode = WAL')
    database.prepare("insert into secrets (key, value) values ('signing-key', 'kept')").run()
    process.kill(process.pid, 'SIGKILL')`
  const { signal, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
  if (signal !== 'SIGKILL') throw new Error(stderr)
}

/**
 * Opens the folder in a process of its own that is killed before the nth change of the file system. Answers the name of that call;
 * null where the start was over before it.
 */
function openKilledAt(n: number): string | null {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let left = ${n}
    for (const name of ['renameSync', 'linkSync', 'rmSync', 'chmodSync', 'copyFileSync', 'fsyncSync']) {
      const real = fs[name]
      fs[name] = (...args) => {
        if (left-- > 0) return real(...args)
        fs.writeSync(1, name)
        process.kill(process.pid, 'SIGKILL')
      }
    }
    syncBuiltinESMExports()
    const { openSqlite } = await import('./apps/server/src/db/sqlite.ts')
    const db = await openSqlite(${JSON.stringify(folder)})
    await db.destroy()
    process.exit(0)`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return null
  if (stdout === '') throw new Error(stderr)
  return stdout
}

const secret = () => {
  const database = new Driver(file())
  const value = database.prepare("select value from secrets where key = 'signing-key'").pluck().get()
  database.close()
  return value
}

test('issue 10.11: a migration that is killed at any step loses nothing, and the next start finishes it', {
  timeout: 120_000,
}, async () => {
  const steps: string[] = []
  for (;;) {
    await makeOld()
    const step = openKilledAt(steps.length)
    expect(existsSync(file()), `killed before step ${steps.length}, ${step}`).toBe(true)
    const db = await openSqlite(folder)
    const kept = await db.selectFrom('secrets').selectAll().execute()
    expect(kept, `killed before step ${steps.length}, ${step}`).toEqual([{ key: 'signing-key', value: 'kept' }])
    await db.destroy()
    expect(readdirSync(folder).sort()).toEqual(['quarterdeck.db', `quarterdeck.db.before-${migrationNames[1]}`])
    if (step === null) break
    steps.push(step)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
  }
  // Every step was met.
  expect(steps).toEqual(expect.arrayContaining(['chmodSync', 'linkSync', 'renameSync', 'fsyncSync']))
  expect(secret()).toBe('kept')
})
