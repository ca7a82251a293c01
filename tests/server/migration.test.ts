import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect } from 'vitest'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { startProgram } from '../support/program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-migration-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'quarterdeck.db')

/** A database before the first migration with something in it. */
function makeOld(): void {
  const database = new Driver(file())
  database.pragma('journal_mode = WAL')
  database.exec('create table kysely_migration (name text primary key, timestamp text not null)')
  database.exec('create table left_over (value text)')
  database.exec("insert into left_over values ('kept')")
  database.close()
}

function leftOver(): unknown {
  const database = new Driver(file(), { readonly: true })
  const value = database.prepare('select value from left_over').pluck().get()
  database.close()
  return value
}

/** Kills the process before the nth call that changes a database file; on its output stands the name of the call. */
const killer = (n: number) => `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  let left = ${n}
  for (const name of ['renameSync', 'linkSync', 'rmSync', 'chmodSync', 'copyFileSync', 'fsyncSync']) {
    const real = fs[name]
    fs[name] = (...args) => {
      const isDatabase = typeof args[0] !== 'string' || args[0].includes('quarterdeck.db')
      if (!isDatabase || left-- > 0) return real(...args)
      fs.writeSync(1, name)
      process.kill(process.pid, 'SIGKILL')
    }
  }
  syncBuiltinESMExports()`

const start = (environment: Record<string, string> = {}) =>
  startProgram(['--no-agent', '--port', '0', '--data', folder], environment)

test('issue 10.11: a migration that is killed at any step loses nothing, and a later start finishes it', {
  timeout: 90_000,
}, async () => {
  makeOld()
  const steps: string[] = []
  for (;;) {
    const preload = `data:text/javascript,${encodeURIComponent(killer(steps.length))}`
    const { child, output, ready, ended } = start({ NODE_OPTIONS: `--import=${preload}` })
    const isDone = await Promise.race([ready().then(() => true), ended.then(() => false)])
    expect(existsSync(file()), `killed before step ${steps.length}: ${output.out}${output.errors}`).toBe(true)
    expect(leftOver()).toBe('kept')
    child.kill('SIGKILL')
    await ended
    if (isDone) break
    steps.push(output.out)
  }
  // Every step was met, and each start went on from what the one before left.
  expect(steps).toEqual(expect.arrayContaining(['rmSync', 'chmodSync', 'linkSync', 'renameSync', 'fsyncSync']))
  expect(readdirSync(folder).filter((name) => /migrating|before/.test(name))).toEqual([
    'quarterdeck.db.before-0001-first',
  ])
})
