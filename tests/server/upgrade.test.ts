import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { startProgram } from '../support/program.ts'
import { createWorld } from '../support/world.ts'
import { listed } from '../upgrades/records.ts'

/** Data folders of earlier versions, made by tests/upgrades/make.ts. */
const kept = fileURLToPath(new URL('../data/upgrades/', import.meta.url))
const versions = readdirSync(kept)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'qd-upgrade-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const file = () => join(data, 'quarterdeck.db')
const unpack = (version: string) => writeFileSync(file(), gunzipSync(readFileSync(join(kept, `${version}.db.gz`))))
const start = (environment: Record<string, string> = {}) =>
  startProgram(['--no-agent', '--port', '0', '--data', data], environment)

describe('R-18 every record is there after the upgrade from', () => {
  test.each(versions)('%s', async (version) => {
    unpack(version)
    const before = JSON.parse(readFileSync(join(kept, `${version}.json`), 'utf8')) as Record<string, string[]>
    expect(Object.keys(before)).toEqual(expect.arrayContaining(['server', 'server-group', 'cron']))
    const world = await createWorld({ data })
    expect(await listed(await world.login())).toMatchObject(before)
    await world.close()
  })
})

/** Adds the migration of a version to come, as that version would leave it. */
function makeNewer(): void {
  copyFileSync(file(), `${file()}.before-9999-later`)
  const database = new Driver(file())
  database.exec("insert into kysely_migration values ('9999-later', '2030-01-01')")
  database.close()
}

test('R-18 a newer folder is refused with the way out, which works', async () => {
  unpack(versions.at(-1)!)
  const first = start()
  await first.ready()
  first.child.kill('SIGTERM')
  await first.ended
  makeNewer()
  const bytes = readFileSync(file())
  const refused = start()
  expect(await refused.ended).toBe(2)
  expect(refused.output.errors).toContain('was written by a newer version (9999-later); start that version')
  const copy = /replace it with (\S+)\. Nothing/.exec(refused.output.errors)?.[1]
  expect(readFileSync(file())).toEqual(bytes)
  renameSync(copy!, file())
  const again = start()
  await again.ready()
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
})

/** Kills the process before its nth statement on the copy that is migrated; on its error output stands how many there were. */
const killer = (n: number) => `
  import { createRequire } from 'node:module'
  import { writeSync } from 'node:fs'
  const require = createRequire(${JSON.stringify(import.meta.url)})
  const Driver = require('better-sqlite3')
  const prototype = Object.getPrototypeOf(new Driver(':memory:').prepare('select 1'))
  let count = 0
  for (const name of ['run', 'all']) {
    const real = prototype[name]
    prototype[name] = function (...args) {
      if (this.database.name.endsWith('.migrating') && count++ === ${n}) process.kill(process.pid, 'SIGKILL')
      return real.apply(this, args)
    }
  }
  process.on('exit', () => writeSync(2, 'statements: ' + count))`
const startKilledAt = (n: number) =>
  start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer(n))}` })

test('R-18 a migration killed between its statements starts whole', async () => {
  const [version] = versions
  const before = JSON.parse(readFileSync(join(kept, `${version}.json`), 'utf8')) as Record<string, string[]>
  unpack(version!)
  const whole = startKilledAt(-1)
  await whole.ready()
  whole.child.kill('SIGTERM')
  await whole.ended
  const statements = Number(/statements: (\d+)/.exec(whole.output.errors)?.[1])
  expect(statements).toBeGreaterThan(40)
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true })
  unpack(version!)
  // Each start finds what the killed one before it has left. Twenty places, from the first statement to the last.
  for (let turn = 0; turn < 20; turn += 1) {
    const n = Math.round((turn * (statements - 1)) / 19)
    expect(await startKilledAt(n).ended, `statement ${n}`).toBeNull()
    expect(existsSync(file())).toBe(true)
  }
  const world = await createWorld({ data })
  expect(await listed(await world.login())).toMatchObject(before)
  await world.close()
})
