import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { startLine } from '../support/peers/line.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { type Core, createSite, readiness, type Site, signedIn, startWriter } from '../support/site.ts'
import { siteSecret, uuidOf } from '../support/world.ts'

const tries = Number(process.env.QD_TRIES ?? 2)

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

let site: Site
const closings: (() => unknown)[] = []
beforeEach(async () => {
  site = await createSite(postgres)
})
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
  await site.close()
})

const isReady = (core: Core) => expect.poll(() => readiness(core.origin), { timeout: 60_000 }).toBe(200)
const isWaiting = (core: Core) => expect.poll(() => core.output.errors).toContain('standby: waiting')

/** Counts the looks at which both were ready. */
function watchBoth(one: Core, other: Core) {
  let both = 0
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      const found = await Promise.all([readiness(one.origin), readiness(other.origin)])
      if (found.every((status) => status === 200)) both += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return async () => {
    isOver = true
    await running
    return both
  }
}

async function namesOf(origin: string): Promise<string[]> {
  const groups = (await (await signedIn(origin)).api('GET', 'server-group')) as { group: { name: string } }[] | null
  return (groups ?? []).map(({ group }) => group.name)
}

/** Notes which session writes, so that a test sees whether one did. The beat is none: it tells only time. */
async function noteWriters() {
  const { database } = site
  await database.query('create table writers (id serial, name text)')
  await database.query(`create function note_writer() returns trigger language plpgsql security definer as $$ begin
    insert into writers (name) values (current_setting('application_name')); return null; end $$`)
  await database.query(`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not in ('writers', 'holder') loop
      execute format('create trigger note after insert or update or delete on %I for each statement execute function note_writer()', name);
    end loop; end $$`)
}

const holder = async () =>
  (await site.database.query<{ name: string }>('select application_name as name from holder')).rows[0]!.name

const isOf = (name: string, { child }: Core) => name.includes(` ${child.pid} `)

test('scale 10: kill -9 of the active server under a writer: the standby takes over, and what was acknowledged is there, once', async () => {
  let active = site.start('a')
  let place: 'a' | 'b' = 'a'
  await isReady(active)
  let standby = site.start('b')
  await isWaiting(standby)
  const origin = await site.balance()
  const browser = await signedIn(origin)
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const writer = startWriter(browser, `try ${attempt}`)
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(3)
    active.child.kill('SIGKILL')
    await isReady(standby)
    const before = writer.acknowledged.length
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(before + 3)
    await writer.stop()
    const names = await namesOf(standby.origin)
    expect(writer.acknowledged.filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    active = standby
    standby = site.start(place)
    place = place === 'a' ? 'b' : 'a'
    await isWaiting(standby)
  }
})

test('scale 11: a stopped server that wakes up after the takeover writes no row, sends no notification, and ends', async () => {
  const active = site.start('a')
  await isReady(active)
  const standby = site.start('b')
  await isWaiting(standby)
  const received: string[] = []
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.end())
    received.push(request.url ?? '')
  }).listen(0, '127.0.0.1')
  closings.push(() => receiver.close())
  await new Promise((resolve) => receiver.once('listening', resolve))
  const { port } = receiver.address() as AddressInfo
  const browser = await signedIn(active.origin)
  const { config } = (await browser.api('GET', 'setting')) as { config: object }
  await browser.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${port}`] })
  const notifier = {
    name: 'hook',
    url: `http://127.0.0.1:${port}/`,
    request_method: 1,
    request_type: 1,
    skip_check: true,
  }
  const notifications = [await browser.api('POST', 'notification', notifier)]
  const group = await browser.api('POST', 'notification-group', { name: 'ops', notifications })
  const agent = await startSimulatedAgent({
    port: Number(new URL(active.origin).port),
    secret: siteSecret,
    uuid: uuidOf(1),
  })
  const rules = [{ type: 'offline', duration: 3, cover: 0 }]
  await browser.api('POST', 'alert-rule', { name: 'gone', rules, enable: true, notification_group_id: group })
  const task = { name: 'each second', task_type: 0, scheduler: '* * * * * *', command: 'id', cover: 0, servers: [1] }
  await browser.api('POST', 'cron', task)
  const runs = async () => ((await browser.api('GET', 'run')) as { value?: unknown[] }).value?.length ?? 0
  await expect.poll(runs).toBeGreaterThan(0)
  await noteWriters()
  const former = await holder()
  expect(isOf(former, active)).toBe(true)

  const both = watchBoth(active, standby)
  // Both have something to do from now on: the task of each second, and the server that is offline.
  agent.vanish()
  active.child.kill('SIGSTOP')
  await isReady(standby)
  const { rows } = await site.database.query<{ id: number }>('select coalesce(max(id), 0) as id from writers')
  active.child.kill('SIGCONT')
  expect(await active.ended).toBe(1)
  expect(active.output.errors).toMatch(/took over the Postgres database|a standby may be taking over/)
  const later = await site.database.query('select from writers where name = $1 and id > $2', [former, rows[0]!.id])
  expect(later.rowCount).toBe(0)
  expect(isOf(await holder(), standby)).toBe(true)
  // The same session goes on.
  const same = createBrowser(standby.origin)
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  const notified = async () =>
    ((await same.api('GET', 'incident')) as { value?: { told: unknown[] }[] }).value?.[0]?.told
  await expect.poll(notified).toMatchObject([{ ok: true }])
  await expect.poll(async () => (await site.database.query('select from outbox')).rowCount).toBe(0)
  expect(received.length).toBe(1)
  expect(await both()).toBe(0)
  await same.api('POST', 'server-group', { name: 'after' })
})

test('scale 11: an active server whose line to the database is cut ends by itself, and the standby takes over', async () => {
  const line = await startLine(site.url)
  closings.push(line.close)
  const active = site.start('a', { database: { port: line.port } })
  await isReady(active)
  const standby = site.start('b')
  await isWaiting(standby)
  const both = watchBoth(active, standby)
  line.hold()
  expect(await active.ended).toBe(1)
  expect(active.output.errors).toContain('a standby may be taking over')
  await isReady(standby)
  expect(await both()).toBe(0)
})

test('scale 13: SIGTERM of the active server hands over: callers see nothing but 503 meanwhile, and stay signed in', async () => {
  let active = site.start('a')
  let place: 'a' | 'b' = 'a'
  await isReady(active)
  let standby = site.start('b')
  await isWaiting(standby)
  const browser = await signedIn(await site.balance())
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const writer = startWriter(browser, `try ${attempt}`)
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(3)
    const both = watchBoth(active, standby)
    active.child.kill('SIGTERM')
    await isReady(standby)
    expect(await active.ended).toBe(0)
    const before = writer.acknowledged.length
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(before + 3)
    await writer.stop()
    expect(await both()).toBe(0)
    expect([...writer.statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
    const names = await namesOf(standby.origin)
    expect(writer.acknowledged.filter((name) => !names.includes(name))).toEqual([])
    active = standby
    standby = site.start(place)
    place = place === 'a' ? 'b' : 'a'
    await isWaiting(standby)
  }
})

/** A receiver that answers only when a test lets it, and a notifier of it: a call that takes as long as wanted. */
async function createSlowCall(browser: Browser) {
  const held: ServerResponse[] = []
  const receiver = createServer((request, response) => {
    request.resume()
    held.push(response)
  }).listen(0, '127.0.0.1')
  closings.push(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  await new Promise((resolve) => receiver.once('listening', resolve))
  const { port } = receiver.address() as AddressInfo
  const { config } = (await browser.api('GET', 'setting')) as { config: object }
  await browser.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${port}`] })
  const notifier = { name: 'slow', url: `http://127.0.0.1:${port}/`, request_method: 1, request_type: 1 }
  return { held, call: () => browser.send('POST', '/api/v1/notification', { body: notifier }) }
}

test('scale 11: a call that waits for a hung server ends with it, as soon as the balancer knows', async () => {
  const active = site.start('a')
  await isReady(active)
  const standby = site.start('b')
  await isWaiting(standby)
  const browser = await signedIn(await site.balance())
  const { held, call } = await createSlowCall(browser)
  const answer = call()
  await expect.poll(() => held.length).toBe(1)
  active.child.kill('SIGSTOP')
  expect((await answer).status).toBe(502)
})

test('scale 13: a server that stops answers the calls that it has begun, although the balancer sends it no more', async () => {
  const origin = await site.balance()
  let status: number | undefined
  // The server waits a second for them, which a busy machine may miss.
  for (let attempt = 0; attempt < 5 && status !== 200; attempt += 1) {
    const active = site.start('a')
    const browser = await signedIn(origin)
    const { held, call } = await createSlowCall(browser)
    const answer = call().catch(() => null)
    await expect.poll(() => held.length).toBe(1)
    active.child.kill('SIGTERM')
    const ofBalancer = () =>
      browser.send('GET', '/api/v1/profile').then(({ text }) => text.includes('No server is available'))
    while (!(await ofBalancer().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 10))
    held[0]!.end()
    status = (await answer)?.status
    expect(await active.ended).toBe(0)
  }
  expect(status).toBe(200)
})
