import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { type Program, startProgram } from '../support/program.ts'
import { siteSecret, uuidOf } from '../support/world.ts'

const password = 'a first password'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

let folder: string
let programs: Program[]
let client: pg.Client | null = null
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-postgres-'))
  programs = []
})
afterEach(async () => {
  await client?.end()
  client = null
  for (const { child, ended } of programs) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** A server with a data folder of its own on the one database. */
function start(): Program {
  const program = startProgram(['--no-agent', '--port', '0', '--data', join(folder, String(programs.length))], {
    QD_ADMIN_PASSWORD: password,
    QD_AGENT_SECRET: siteSecret,
    DATABASE_URL: postgres.url,
  })
  programs.push(program)
  return program
}

test('issue 10.14: a restart of the database does not end the server, and what it does goes on', async () => {
  const program = start()
  const origin = await program.ready()
  const agent = await startSimulatedAgent({
    port: Number(new URL(origin).port),
    secret: siteSecret,
    uuid: uuidOf(1),
    onCommand: () => ({ data: 'ok', successful: true }),
  })
  const browser = createBrowser(origin)
  await browser.login('admin', password)
  const task = { name: 'each second', task_type: 0, scheduler: '* * * * * *', command: 'id', cover: 0, servers: [1] }
  await browser.api('POST', 'cron', task)
  const newest = async () => {
    const { value = [] } = (await browser.api('GET', 'run')) as { value?: { id: number }[] }
    return value[0]?.id ?? 0
  }
  await expect.poll(newest).toBeGreaterThan(0)
  const health = async () => (await createBrowser(origin).send('GET', '/healthz')).text

  await postgres.stop()
  await expect.poll(health).toContain('the database is not responding')
  expect((await browser.send('POST', '/api/v1/server-group', { body: { name: 'lost' } })).body.success).toBeUndefined()
  expect((await browser.send('GET', '/api/v1/server')).body.success).toBe(true)
  // Tasks come due meanwhile.
  await expect.poll(health).toMatch(/failed to start \d+ scheduled tasks/)
  await postgres.start()
  await expect.poll(health).not.toContain('the database is not responding')
  const last = await newest()
  await expect.poll(newest).toBeGreaterThan(last)
  await browser.api('POST', 'server-group', { name: 'kept' })
  expect(program.child.exitCode).toBeNull()
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  agent.vanish()
})

test('issue 10.14: a second server on the same database says why it does not start, and the first goes on', async () => {
  const origin = await start().ready()
  const second = start()
  expect(await second.ended).toBe(2)
  expect(second.output.errors).toBe('quarterdeck: another Quarterdeck server is already using this Postgres database\n')
  expect((await createBrowser(origin).send('GET', '/healthz')).text).toBe('{"success":true}')
})

test('issue 10.14: a server whose database another one has taken meanwhile ends and says so', async () => {
  const first = start()
  await first.ready()
  first.child.kill('SIGSTOP')
  await postgres.stop()
  await postgres.start()
  const origin = await start().ready()
  first.child.kill('SIGCONT')
  expect(await first.ended).toBe(1)
  expect(first.output.errors).toContain('another Quarterdeck server took over the Postgres database')
  expect((await createBrowser(origin).send('GET', '/healthz')).text).toBe('{"success":true}')
})

test('R-13 a full disk below PostgreSQL: writes say so, reading and signing in go on, and it ends by itself', async () => {
  const program = start()
  const origin = await program.ready()
  client = new pg.Client(postgres.url)
  await client.connect()
  const database = client
  const signIns = async () => (await database.query("select 1 from audit where action = 'sign-in'")).rows.length
  const before = await signIns()
  const browser = createBrowser(origin)
  await browser.login('admin', password)
  await browser.api('POST', 'server-group', { name: 'before' })
  const groups = await browser.api('GET', 'server-group')
  // PostgreSQL itself answers as where a file cannot grow.
  const onEach = (statement: string) =>
    database.query(`do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' loop execute format('${statement}', name); end loop;
    end $$`)
  await database.query(`create or replace function no_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await onEach('create trigger full_disk before insert or update or delete on %I execute function no_room()')

  for (let call = 0; call < 5; call += 1) {
    const answer = await browser.send('POST', '/api/v1/server-group', { body: { name: 'during' } })
    expect([answer.status, answer.body.code]).toEqual([507, 'diskFull'])
  }
  const second = createBrowser(origin)
  await second.login('admin', password)
  expect(await second.api('GET', 'server-group')).toEqual(groups)
  const health = await second.send('GET', '/healthz')
  expect([health.status, health.body.error]).toEqual([503, expect.stringContaining('No space left on device')])

  await onEach('drop trigger full_disk on %I')
  await expect.poll(async () => (await second.send('GET', '/healthz')).status).toBe(200)
  await second.api('POST', 'server-group', { name: 'after' })
  // The one of the time without room was kept and written later.
  await expect.poll(signIns).toBe(before + 2)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(program.output.errors.match(/disk full or read-only/g)).toHaveLength(1)
})
