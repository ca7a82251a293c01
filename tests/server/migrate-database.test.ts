import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Driver from 'better-sqlite3'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { type Program, startProgram } from '../support/program.ts'
import { buildPrograms, type Programs, serverProgram } from '../support/programs.ts'
import { writePast } from '../support/server/history-data.ts'
import { createWorld, siteSecret, uuidOf, admin as worldAdmin } from '../support/world.ts'
import { listed } from '../upgrades/records.ts'

const password = worldAdmin.password
const hour = 3_600_000
/** Each starts the server's program many times. */
const long = { timeout: 300_000 }

let postgres: Postgres
let programs: Programs
let main: string
beforeAll(async () => {
  programs = await buildPrograms()
  main = await serverProgram()
  postgres = await startPostgres()
})
afterAll(async () => {
  programs.close()
  await postgres.close()
})

let folder: string
let admin: pg.Client
let url: string
let count = 0
const running: Program[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-migrate-'))
  admin = new pg.Client(postgres.url)
  admin.on('error', () => {})
  await admin.connect()
  count += 1
  await admin.query(`create database qd_${count}`)
  url = urlOf({})
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

function urlOf({ role = 'qd', name = `qd_${count}` }: { role?: string; name?: string }): string {
  const found = new URL(postgres.url)
  found.pathname = name
  found.username = role
  return found.href
}

const at = (...names: string[]) => join(folder, ...names)

/** Runs a command of the server's program to its end. */
function run(words: readonly string[], environment: Record<string, string> = {}) {
  const env = { ...process.env, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8', env })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

const toPostgres = (data = at('data')) => run(['migrate', 'to-postgres', url, '--data', data])
const toSqlite = (target: string) => run(['migrate', 'to-sqlite', target], { DATABASE_URL: url })

async function serve(data: string, environment: Record<string, string> = {}) {
  const program = startProgram(['--no-agent', '--port', '0', '--data', data], {
    QD_ADMIN_PASSWORD: password,
    QD_AGENT_SECRET: siteSecret,
    ...environment,
  })
  running.push(program)
  const origin = await program.ready()
  const browser = createBrowser(origin)
  expect((await browser.login('admin', password)).body.success).toBe(true)
  const stop = async () => {
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
  return { origin, browser, stop }
}

/** Runs `qd` on this server. */
function qd(origin: string, ...words: string[]) {
  const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
  const env = { ...process.env, ...home, QD_URL: origin, QD_USER: 'admin', QD_PASSWORD: password, LANG: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [programs.qd, ...words], { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

/** Everything that a server's users see of their records and of the past. */
async function seen({ origin, browser }: { origin: string; browser: Browser }, now: number) {
  const exported = qd(origin, 'export', '--all', '--with-secrets')
  expect(exported).toMatchObject({ status: 0, stderr: '' })
  const range = `from=${now - 20 * hour}&to=${now - 2 * hour}&points=200`
  const charts = (await browser.api('GET', `history?servers=1,2,3&metric=cpu,memory,net_in_transfer&${range}`)) as {
    series: { points: unknown[] }[]
  }
  const runs = await browser.api('GET', 'run')
  const alice = await createBrowser(origin).login('alice', 'a long password')
  return { exported: exported.stdout, charts, runs, signedIn: alice.body.success }
}

/** Whether an earlier session and an API token are still accepted. */
async function accepted(origin: string, { cookies, token }: { cookies: Browser['cookies']; token: string }) {
  const browser = createBrowser(origin)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  const headers = { Authorization: `Bearer ${token}` }
  const byToken = await browser.send('GET', '/api/v1/server', { bare: true, headers })
  return [(await browser.send('GET', '/api/v1/profile')).body.success, byToken.body.success]
}

/** Names and digests of all files below a folder. */
const digests = (data: string) =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`
    })
    .sort()

/** A stopped server's data folder with records, a run, and a past. Returns what was seen of it. */
async function filled() {
  const now = Date.now()
  const first = await serve(at('data'))
  const agents = await Promise.all(
    [1, 2, 3].map((n) =>
      startSimulatedAgent({
        port: Number(new URL(first.origin).port),
        secret: siteSecret,
        uuid: uuidOf(n),
        onCommand: () => ({ data: 'ümläut ✓\n', successful: true }),
      }),
    ),
  )
  const { browser } = first
  await browser.api('POST', 'server-group', { name: 'web “1”', servers: [1, 3] })
  const task = { name: 'hello', task_type: 0, scheduler: '0 0 3 * * *', command: "echo 'it''s'", cover: 1, servers: [] }
  await browser.api('POST', 'cron', task)
  await browser.api('POST', 'user', { username: 'alice', password: 'a long password', role: 1 })
  const gone = (await browser.api('POST', 'server-group', { name: 'gone', servers: [] })) as number
  await browser.api('POST', 'batch-delete/server-group', [gone])
  const script = { name: 'script', scopes: ['nezha:inventory:read'] }
  const { token } = (await browser.api('POST', 'api-tokens', script)) as { token: string }
  const kept = { cookies: new Map(browser.cookies), token }
  await browser.api('POST', 'cron/1/manual')
  await expect.poll(async () => JSON.stringify(await browser.api('GET', 'run'))).toContain('"success":3')
  await first.stop()
  for (const agent of agents) agent.vanish()
  await writePast(at('data', 'history.db'), { servers: 3, services: 1, now, days: 2 })
  const again = await serve(at('data'))
  const before = await seen(again, now)
  expect(before.charts.series.map(({ points }) => points.length > 50)).toEqual(Array.from({ length: 9 }, () => true))
  expect(before.signedIn).toBe(true)
  await again.stop()
  return { now, gone, before, kept }
}

test(
  'scale 14: a data folder moves to PostgreSQL and back: records, runs, history and sign-ins are the same, the source stays byte for byte',
  long,
  async () => {
    const { now, gone, before, kept } = await filled()
    const files = digests(at('data'))
    const moved = toPostgres()
    expect(moved).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^ {2}history_rows {2}\d{3,}$/m),
    })
    expect(digests(at('data'))).toEqual(files)
    expect(toPostgres()).toEqual({
      status: 2,
      stdout: '',
      stderr: `quarterdeck: the Postgres database qd_${count} on ${new URL(url).host} already has a table alert_rules; give an empty database`,
    })

    const onPostgres = await serve(at('second'), { DATABASE_URL: url })
    expect(await accepted(onPostgres.origin, kept)).toEqual([true, true])
    expect(await seen(onPostgres, now)).toEqual(before)
    writeFileSync(at('before.yaml'), before.exported)
    expect(qd(onPostgres.origin, 'diff', at('before.yaml'))).toMatchObject({ status: 0 })
    // IDs of deleted records are not given again.
    expect(await onPostgres.browser.api('POST', 'server-group', { name: 'new', servers: [] })).toBe(gone + 1)
    await onPostgres.browser.api('POST', 'batch-delete/server-group', [gone + 1])
    await onPostgres.stop()

    expect(toSqlite(at('back'))).toMatchObject({ status: 0, stderr: '' })
    expect(toSqlite(at('back'))).toMatchObject({
      status: 2,
      stderr: `quarterdeck: ${at('back', 'quarterdeck.db')} already exists; give a folder without a database`,
    })
    const onSqlite = await serve(at('back'))
    expect(await accepted(onSqlite.origin, kept)).toEqual([true, true])
    expect(await seen(onSqlite, now)).toEqual(before)
    expect(await onSqlite.browser.api('POST', 'server-group', { name: 'new', servers: [] })).toBe(gone + 2)
    await onSqlite.stop()
    expect(run(['check', at('back')]).status).toBe(0)
  },
)

const upgrades = fileURLToPath(new URL('../data/upgrades/', import.meta.url))
const versions = readdirSync(upgrades)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

test.each([versions[0]!, versions.at(-1)!])(
  'a folder of the earlier version %s is upgraded on its way',
  async (version) => {
    mkdirSync(at('data'))
    writeFileSync(at('data', 'quarterdeck.db'), gunzipSync(readFileSync(join(upgrades, `${version}.db.gz`))))
    const files = digests(at('data'))
    expect(toPostgres()).toMatchObject({ status: 0, stderr: '' })
    expect(digests(at('data')).filter((line) => !line.startsWith('server.lock'))).toEqual(files)
    const world = await createWorld({ config: { databaseUrl: url } })
    const expected = JSON.parse(readFileSync(join(upgrades, `${version}.json`), 'utf8')) as Record<string, string[]>
    expect(await listed(await world.login())).toMatchObject(expected)
    await world.close()
  },
)

const tables = async () => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test(
  'a copy that fails leaves the target empty and names the rows, and works once the cause is gone',
  long,
  async () => {
    await (await serve(at('data'))).stop()
    const database = new Driver(at('data', 'quarterdeck.db'))
    database.exec("insert into waf values ('192.0.2.1', 1, 1, 1, 0.5, '', null)")
    expect(toPostgres()).toEqual({
      status: 1,
      stdout: '',
      stderr: `quarterdeck: table waf, rows 1 to 1: invalid input syntax for type bigint: "0.5"; the Postgres database qd_${count} on ${new URL(url).host} is empty again`,
    })
    expect(await tables()).not.toContain('users')
    database.exec('delete from waf')
    // A text may have a zero byte in SQLite only.
    database.prepare('update users set username = ?').run('ad\0min')
    database.close()
    expect(toPostgres().status).toBe(0)
    const client = new pg.Client(url)
    await client.connect()
    expect((await client.query('select username from users')).rows).toEqual([{ username: 'ad\ufffdmin' }])
    // What PostgreSQL can't read leaves nothing in the new folder.
    await client.query('alter table waf rename to waf_was')
    await client.query('create table waf as select ip from waf_was')
    await client.query("insert into waf values ('192.0.2.1')")
    await client.end()
    expect(toSqlite(at('back'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/table waf, rows 1 to 1: .*; nothing was left in \S+back$/),
    })
    expect(existsSync(at('back'))).toBe(false)
  },
)

test('a crashed server’s folder moves with what is only in its log', long, async () => {
  const server = await serve(at('data'))
  await server.browser.api('POST', 'server-group', { name: 'late', servers: [] })
  running[0]!.child.kill('SIGKILL')
  await running[0]!.ended
  const isData = (line: string) => /^\w+\.db(-wal)? /.test(line)
  const files = digests(at('data')).filter(isData)
  expect(files.some((line) => line.startsWith('quarterdeck.db-wal'))).toBe(true)
  expect(toPostgres().status).toBe(0)
  expect(digests(at('data')).filter(isData)).toEqual(files)
  const moved = await serve(at('second'), { DATABASE_URL: url })
  expect(JSON.stringify(await moved.browser.api('GET', 'server-group'))).toContain('late')
})

test('what can’t be moved is refused in one sentence, and nothing is touched', long, async () => {
  const server = await serve(at('data'))
  expect(toPostgres()).toMatchObject({
    status: 2,
    stderr: `quarterdeck: another Quarterdeck server is already running on the data folder ${at('data')}`,
  })
  await server.stop()
  const other = await serve(at('second'), { DATABASE_URL: url })
  for (const refused of [toPostgres(), toSqlite(at('back'))])
    expect(refused).toMatchObject({
      status: 2,
      stderr: 'quarterdeck: another Quarterdeck server is already using this Postgres database',
    })
  await other.stop()
  expect(existsSync(at('back'))).toBe(false)

  await admin.query('create role reader login')
  await admin.query(`create database qd_${count}_bare`)
  // As PostgreSQL 15 and newer have it.
  const inBare = new pg.Client(urlOf({ name: `qd_${count}_bare` }))
  await inBare.connect()
  await inBare.query('revoke create on schema public from public')
  await inBare.end()
  const target = (words: string[], environment = {}) => run(['migrate', ...words, '--data', at('data')], environment)
  const bare = urlOf({ role: 'reader', name: `qd_${count}_bare` })
  expect(target(['to-postgres', bare])).toMatchObject({
    status: 2,
    stderr: `quarterdeck: role reader can’t create tables in the Postgres database qd_${count}_bare on ${new URL(url).host}; make the role the owner of the database`,
  })
  for (const [words, said] of [
    [
      ['to-postgres', urlOf({ role: 'nobody' })],
      'cannot use the Postgres database in the URL: role "nobody" does not exist',
    ],
    [
      ['to-postgres', urlOf({ name: 'nowhere' })],
      'cannot use the Postgres database in the URL: database "nowhere" does not exist',
    ],
    [
      ['to-postgres', 'postgres://127.0.0.1:1/x'],
      'cannot use the Postgres database in the URL: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      ['to-postgres', `${bare}?sslmode=verify-full`],
      'cannot use the Postgres database in the URL: The server does not support SSL connections',
    ],
    [['to-postgres', 'mysql://x'], 'the URL must start with postgres://'],
    [['to-postgres'], /^quarterdeck: missing argument: a database, as in: migrate to-postgres postgres:/],
    [['to-sqlite'], /^quarterdeck: missing argument: a folder/],
    [['to-sqlite', at('back')], 'DATABASE_URL must name the database to copy'],
    [[], /^quarterdeck: missing argument: to-postgres or to-sqlite/],
  ] as const)
    expect([words, target([...words])]).toMatchObject([
      words,
      { status: 2, stderr: typeof said === 'string' ? `quarterdeck: ${said}` : expect.stringMatching(said) },
    ])
  const empty = urlOf({ name: `qd_${count}_bare` })
  expect(target(['to-sqlite', at('back')], { DATABASE_URL: empty })).toMatchObject({
    status: 2,
    stderr: `quarterdeck: the Postgres database qd_${count}_bare on ${new URL(url).host} has no Quarterdeck data`,
  })
  expect(existsSync(at('back'))).toBe(false)
  expect(run(['migrate', 'to-postgres', empty, '--data', at('none')])).toMatchObject({
    status: 2,
    stderr: `quarterdeck: ${at('none', 'quarterdeck.db')} not found; give its folder with --data`,
  })
})
