import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import { connectPostgres } from '../../apps/server/src/store/db/postgres.ts'
import { openSqlite } from '../../apps/server/src/store/db/sqlite.ts'
import { reasonOf } from '../../apps/server/src/store/db/storage.ts'
import { demandWhole } from '../../apps/server/src/upkeep/backup/restore.ts'
import { copyTables, type Progress } from '../../apps/server/src/upkeep/migrate/copy-tables.ts'
import { migrateToPostgres, migrateToSqlite } from '../../apps/server/src/upkeep/migrate/migrate-database.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { createWorld } from '../support/world.ts'

const log = createLog('json', () => {})

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

let folder: string
let url: string
let count = 0
const at = (...names: string[]) => join(folder, ...names)
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-migrate-'))
  count += 1
  await ask(postgres.url, `create database qd_${count}`)
  url = postgres.url.replace(/[^/]+$/, `qd_${count}`)
  const db = await openSqlite(makeFolder('data'))
  await sql`insert into waf values ('192.0.2.1', 1, 1, 1, 5, '', null)`.execute(db)
  await db.destroy()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function makeFolder(name: string): string {
  mkdirSync(at(name))
  return at(name)
}

async function ask(place: string, ...statements: string[]) {
  const client = new pg.Client(place)
  client.on('error', () => {})
  await client.connect()
  let rows: unknown[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}

/** Asks from another process, while this one is blocked. */
function askMeanwhile(statement: string): void {
  const program = `const c = new (require('pg').Client)(${JSON.stringify(url)}); c.connect().then(() => c.query(${JSON.stringify(statement)})).then(() => c.end())`
  expect(spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })).toMatchObject({ status: 0 })
}

/** Does this at the first rows. */
function once(work: () => void): Progress {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

const toPostgres = (progress: Progress = () => {}, place = url) =>
  migrateToPostgres(at('data'), place, { log, progress })
const toSqlite = (target: string, progress: Progress = () => {}) =>
  migrateToSqlite(url, { data: at('data'), target }, { log, progress })

const waf = (file: string) => {
  const database = new Driver(file, { readonly: true })
  const found = database.prepare('select ip from waf order by ip').pluck().all()
  database.close()
  return found
}

test('this machine’s agent keeps its identity in the new folder, which belongs to the owner of its parent', async () => {
  writeFileSync(at('data', 'agent.json'), '{"uuid":"a"}')
  await toPostgres()
  const parent = makeFolder('parent')
  const isRoot = userInfo().uid === 0
  if (isRoot) spawnSync('chown', ['1234:1234', parent])
  const target = join(parent, 'one', 'two')
  const lines = await toSqlite(target)
  expect(lines.join('\n')).toContain('1 row of ')
  expect(readFileSync(join(target, 'agent.json'), 'utf8')).toBe('{"uuid":"a"}')
  for (const name of ['..', '.', 'agent.json', 'quarterdeck.db', 'history.db', 'server.lock'])
    expect([name, statSync(join(target, name)).uid]).toEqual([name, statSync(parent).uid])
  expect(() => demandWhole(target)).not.toThrow()

  writeFileSync(join(target, 'agent.json'), '{"uuid":"b"}')
  rmSync(join(target, 'quarterdeck.db'))
  rmSync(join(target, 'history.db'))
  await toSqlite(target)
  expect(readFileSync(join(target, 'agent.json'), 'utf8')).toBe('{"uuid":"b"}')
  rmSync(at('data', 'agent.json'))
  expect((await toSqlite(at('other'))).at(-1)).toContain('has no agent.json')
})

test('a URL with a socket is named as the driver understands it, one that can’t be read is refused', async () => {
  const [{ directory }] = (await ask(url, "select current_setting('unix_socket_directories') as directory")) as [
    { directory: string },
  ]
  const { port, host } = new URL(url)
  expect((await toPostgres(undefined, `postgres://qd:pw@/qd_${count}?host=${directory}&port=${port}`))[0]).toContain(
    `to the Postgres database qd_${count} on ${directory}:`,
  )
  await ask(postgres.url, 'create database qd')
  expect((await toPostgres(undefined, `postgres://qd@${host}`))[0]).toContain(`to the Postgres database qd on ${host}:`)
  for (const bad of ['postgres://qd:p#w@h/qd', 'postgres://qd:p/w@h/qd', 'postgres://127.0.0.1:1/%c3'])
    await expect(toPostgres(undefined, bad)).rejects.toMatchObject({
      name: 'Refusal',
      message: expect.stringMatching(/^cannot use the Postgres database in DATABASE_URL: .*; percent-encode/),
    })
})

test('a connection that is lost while the copy is committed leaves the outcome open', async () => {
  await ask(
    url,
    `create function leave() returns trigger language plpgsql as
      $$begin perform pg_terminate_backend(pg_backend_pid()); return null; end$$`,
    `create function arm() returns event_trigger language plpgsql as $$begin
      if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.waf') then
        execute 'create constraint trigger at_commit after insert on waf deferrable initially deferred for each row execute function leave()';
      end if; end$$`,
    "create event trigger armed on ddl_command_end when tag in ('CREATE TABLE') execute function arm()",
  )
  await expect(toPostgres()).rejects.toMatchObject({
    name: 'Failure',
    message: expect.stringMatching(/terminat.*; the Postgres database \S+ on \S+ has the whole copy or nothing; run/),
  })
  await ask(url, 'drop event trigger armed')
  expect((await toPostgres())[0]).toContain('Copied')
})

test('a connection that is lost during the copy leaves nothing, and the reason is said', async () => {
  const end = "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'"
  await expect(
    toPostgres(
      once(() =>
        askMeanwhile(`${end}; select pg_terminate_backend(pid) from pg_stat_activity where state like 'idle in%'`),
      ),
    ),
  ).rejects.toMatchObject({
    name: 'Failure',
    message: expect.stringMatching(/terminat.*; the Postgres database \S+ on \S+ is empty again$/),
  })
  expect(await ask(url, "select tablename from pg_tables where schemaname = 'public' and tablename = 'waf'")).toEqual(
    [],
  )
})

test('a query of a database whose lock was lost says why', async () => {
  let hear = () => {}
  const lost = new Promise<void>((resolve) => {
    hear = resolve
  })
  const { db } = await connectPostgres(url, {
    log: Object.assign(Object.create(log), { error: () => hear() }),
    isServer: false,
    taken: () => {},
  })
  await db.connection().execute(async (one) => {
    await sql`select 1`.execute(one)
    await ask(url, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    await lost
    const error = await sql`select 1`.execute(one).catch(reasonOf)
    expect(error).toMatch(/terminat/)
  })
  await db.destroy()
})

test('the copy is of one moment, whatever is written meanwhile', async () => {
  await toPostgres()
  await toSqlite(
    at('back'),
    once(() => askMeanwhile("insert into waf select '192.0.2.2', 1, 1, 1, 5, '', null")),
  )
  expect(waf(at('back', 'quarterdeck.db'))).toEqual(['192.0.2.1'])
  expect(await ask(url, 'select ip from waf')).toHaveLength(2)
})

test('no server starts on what an interrupted copy left, and the same command finishes it', async () => {
  await toPostgres()
  const target = makeFolder('back')
  for (const name of ['migrate-begun', 'quarterdeck.db.migrating', 'history.db', 'history.db-wal'])
    writeFileSync(join(target, name), 'half')
  await expect(createWorld({ data: target })).rejects.toThrow(
    `“migrate to-sqlite ${target}” was interrupted; run it again`,
  )
  await toSqlite(target)
  expect(() => demandWhole(target)).not.toThrow()
  expect(waf(join(target, 'quarterdeck.db'))).toEqual(['192.0.2.1'])
  expect(existsSync(join(target, 'history.db-wal'))).toBe(false)
})

test('a folder with an interrupted restore is refused; what can’t be put in place leaves nothing', async () => {
  await toPostgres()
  writeFileSync(join(makeFolder('restoring'), 'restore-begun'), '/backup')
  await expect(toSqlite(at('restoring'))).rejects.toThrow('a restore of')
  mkdirSync(join(makeFolder('back'), 'agent.json.migrating'))
  writeFileSync(at('data', 'agent.json'), '{}')
  await expect(toSqlite(at('back'))).rejects.toThrow()
  expect(existsSync(at('back', 'quarterdeck.db'))).toBe(false)
})

test('a table whose copy has fewer rows is a failure', async () => {
  const [source, target] = [1, 2].map((rows) => {
    const database = new Driver(':memory:')
    database.exec('create table t (n integer)')
    if (rows === 1) database.exec('insert into t values (1), (2)')
    else database.exec('create trigger s before insert on t when new.n = 2 begin select raise(ignore); end')
    return { db: new Kysely<never>({ dialect: new SqliteDialect({ database }) }), engine: 'sqlite' as const }
  })
  await expect(copyTables(target!, [source!], () => {})).rejects.toThrow('table t has 2 rows, and 1 in the copy')
})
