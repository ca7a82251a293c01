import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Host } from '@qd/protocol/agent'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { startLine } from '../support/peers/line.ts'
import { freePort, type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { type Program, startProgram } from '../support/program.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { siteSecret, uuidOf } from '../support/world.ts'

const password = 'a first password'

let postgres: Postgres
let programs: Programs
beforeAll(async () => {
  programs = await buildPrograms()
  postgres = await startPostgres()
})
afterAll(async () => {
  programs.close()
  await postgres.close()
})

let folder: string
let database: string
let admin: pg.Client
let count = 0
const closings: (() => unknown)[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-postgres-away-'))
  admin = await connected()
  count += 1
  database = `qd_${count}`
  await admin.query(`create database ${database}`)
})
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(postgres.url)
  // A test stops the database.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The database of this test, by way of another port or as another role. */
function urlOf({ port, role = 'qd' }: { port?: number; role?: string } = {}): string {
  const url = new URL(postgres.url)
  url.pathname = database
  url.username = role
  if (port !== undefined) url.port = String(port)
  return url.href
}

function start(url = urlOf()): Program {
  const data = mkdtempSync(join(folder, 'data-'))
  const program = startProgram(['--no-agent', '--port', '0', '--data', data], {
    QD_ADMIN_PASSWORD: password,
    QD_AGENT_SECRET: siteSecret,
    DATABASE_URL: url,
  })
  closings.push(async () => {
    program.child.kill('SIGKILL')
    await program.ended
  })
  return program
}

async function signedIn(origin: string) {
  const browser = createBrowser(origin)
  await browser.login('admin', password)
  return browser
}

const ready = async (origin: string): Promise<number> => {
  try {
    return (await fetch(`${origin}/readyz`)).status
  } catch {
    return 0
  }
}

async function startPooler(mode: string): Promise<number> {
  const port = await freePort()
  const { hostname, port: to } = new URL(postgres.url)
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), '"qd" ""\n')
  writeFileSync(
    settings,
    `[databases]\n* = host=${hostname} port=${to}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\nauth_file = ${folder}/users.txt\npool_mode = ${mode}\ndefault_pool_size = 10\n`.replace(
      '* = host',
      `${database} = user=qd host`,
    ),
  )
  chmodSync(folder, 0o755)
  const user = userInfo().uid === 0 ? ['-u', 'postgres'] : []
  const child = spawn('/usr/sbin/pgbouncer', [...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] })
  closings.push(() => ended(child))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await expect.poll(() => said).toContain('process up')
  return port
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

async function lineTo() {
  const line = await startLine(postgres.url)
  closings.push(line.close)
  return line
}

test('scale 1: through a pooler in transaction mode it does not start and says why; in session mode it does', async () => {
  const shared = start(urlOf({ port: await startPooler('transaction') }))
  expect(await shared.ended).toBe(2)
  expect(shared.output.errors).toBe(
    'quarterdeck: DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode=transaction, which can’t keep the lock of a server; use pool_mode=session, or the address of PostgreSQL itself\n',
  )
  const origin = await start(urlOf({ port: await startPooler('session') })).ready()
  await (await signedIn(origin)).api('POST', 'server-group', { name: 'pooled' })
})

test('scale 2: when the lock’s backend ends while a second server starts, never do both answer that they are ready', async () => {
  let first = start()
  let origin = await first.ready()
  for (let attempt = 0; attempt < Number(process.env.QD_TRIES ?? 2); attempt += 1) {
    const second = start()
    const lock = "select pg_terminate_backend(pid) as done from pg_locks where locktype = 'advisory' and granted"
    await admin.query(`${lock} and database = (select oid from pg_database where datname = '${database}')`)
    let other: string | null = null
    void second.ready().then(
      (found) => {
        other = found
      },
      () => {},
    )
    let both = 0
    let over = false
    void Promise.race([first.ended, second.ended]).then(() => {
      over = true
    })
    while (!over) {
      const [one, two] = await Promise.all([ready(origin), other === null ? 0 : ready(other)])
      if (one === 200 && two === 200) both += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(both).toBe(0)
    if (first.child.exitCode !== null) {
      first = second
      origin = await second.ready()
    }
    await expect.poll(() => ready(origin)).toBe(200)
  }
})

test('scale 3: a database that stays silent: health, writes and the end of the server have their time limits', async () => {
  const line = await lineTo()
  const program = start(urlOf({ port: line.port }))
  const origin = await program.ready()
  const browser = await signedIn(origin)
  line.hold()
  const [health, write] = await Promise.all([
    browser.send('GET', '/healthz'),
    browser.send('POST', '/api/v1/server-group', { body: { name: 'lost' } }),
  ])
  expect([health.status, health.body.error]).toEqual([503, expect.stringContaining('the database is not responding')])
  expect([write.status, write.body.code]).toEqual([503, 'databaseAway'])
  await expect.poll(() => ready(origin)).toBe(503)
  expect((await browser.send('GET', '/api/v1/server')).body.success).toBe(true)
  program.child.kill('SIGTERM')
  await program.ended
})

test('scale 3: a query that takes too long ends on both sides: the caller gets databaseAway, and PostgreSQL stops waiting', async () => {
  const browser = await signedIn(await start().ready())
  const other = new pg.Client(urlOf())
  await other.connect()
  closings.push(() => other.end())
  await other.query('begin')
  await other.query('lock table server_groups')
  const answer = await browser.send('POST', '/api/v1/server-group', { body: { name: 'late' } })
  expect([answer.status, answer.body.code]).toEqual([503, 'databaseAway'])
  // The lock is there still: what waits for it would write once it is free.
  const waiting = "select from pg_locks where not granted and relation = 'server_groups'::regclass"
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(0)
  await other.query('commit')
  await browser.api('POST', 'server-group', { name: 'after' })
  const { rows } = await other.query('select name from server_groups')
  expect(rows).toEqual([{ name: 'after' }])
})

test('scale 3: when the silence ends, its own former session is not taken for another server', async () => {
  const line = await lineTo()
  const program = start(urlOf({ port: line.port }))
  const origin = await program.ready()
  line.hold()
  await expect.poll(() => ready(origin)).toBe(503)
  line.letGo()
  await expect.poll(() => ready(origin), { timeout: 60_000 }).toBe(200)
  await (await signedIn(origin)).api('POST', 'server-group', { name: 'after' })
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})

test('scale 4: while the database is away, qd has an exit code of its own, agents are told to come later, and the log stays short', async () => {
  const program = start()
  const origin = await program.ready()
  const browser = await signedIn(origin)
  const { port } = new URL(origin)
  const qd = (...words: string[]) => {
    const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder }
    return new Promise<{ code: number | null; errors: string }>((resolve) => {
      const child = spawn(process.execPath, [programs.qd, ...words], {
        env: { ...process.env, ...home, QD_URL: origin, QD_USER: 'admin', QD_PASSWORD: password, LANG: 'C.UTF-8' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text
      })
      child.on('close', (code) => resolve({ code, errors }))
    })
  }
  expect(await qd('server-group', 'ls')).toEqual({ code: 0, errors: '' })
  const enroll = async () => {
    const peer = await connectPeer({ port: Number(port) })
    closings.push(() => peer.destroy())
    const call = peer.open('ReportSystemInfo2', credentials(siteSecret, uuidOf(7)))
    call.send(Host.encode(Host.fromPartial({ platform: 'debian' })).finish())
    call.halfClose()
    const event = await call.take(({ event }) => event === 'message' || event === 'trailers')
    return event.event === 'trailers' ? event.status : 0
  }

  await postgres.stop()
  try {
    await expect.poll(() => ready(origin)).toBe(503)
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const answer = await browser.send('POST', '/api/v1/server-group', { body: { name: `lost ${attempt}` } })
      expect([answer.status, answer.body.code]).toEqual([503, 'databaseAway'])
    }
    const made = await qd('server-group', 'create', '--name', 'lost')
    expect(made).toEqual({ code: 10, errors: expect.stringMatching(/^error: the server’s database is not responding/) })
    expect(await enroll()).toBe(14)
  } finally {
    await postgres.start()
  }
  admin = await connected()
  await expect.poll(() => ready(origin)).toBe(200)
  expect(await enroll()).toBe(0)
  const lines = program.output.errors.trim().split('\n')
  expect(lines.filter((line) => line.includes('lost the database'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('reconnected to the database'))).toHaveLength(1)
  expect(lines.filter((line) => /"level":|^\d\d:/.test(line)).length).toBeLessThan(20)
})

test('scale 5: it gets by with three connections, and says how many it needs where there are fewer', async () => {
  await admin.query('create role small login connection limit 3')
  await admin.query(`alter database ${database} owner to small`)
  const program = start(urlOf({ role: 'small' }))
  const browser = await signedIn(await program.ready())
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => browser.send('POST', '/api/v1/server-group', { body: { name: `g${at}` } })),
  )
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(program.output.errors).toContain('the database allows fewer connections than the server uses')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await admin.query('alter role small connection limit 2')
  const refused = start(urlOf({ role: 'small' }))
  expect(await refused.ended).toBe(2)
  expect(refused.output.errors).toBe(
    'quarterdeck: cannot use the Postgres database in DATABASE_URL: too many connections for role "small"; the server needs 3 connections\n',
  )
})
