import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { folderOfPrograms, freePort, type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startProgram } from '../support/program.ts'
import { buildOtherServer } from '../support/programs.ts'
import {
  type Core,
  type CoreOptions,
  createMachine,
  createSite,
  hasNamespaces,
  readiness,
  type Site,
  signedIn,
  startWriter,
} from '../support/site.ts'

let postgres: Postgres
let site: Site
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())
beforeEach(async () => {
  site = await createSite(postgres)
})
afterEach(() => site.close())

/** Runs this in the process before the server. */
const preloaded = (code: string): CoreOptions => ({
  environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` },
})

/** Of a machine whose clock is ahead by this. */
const clockAhead = (minutes: number) =>
  preloaded(`const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length ? given : [Date.now()])) }
    static now() { return Real.now() + ${minutes * 60_000} } }`)

const isReady = (core: Core) => expect.poll(() => readiness(core.origin), { timeout: 60_000 }).toBe(200)
const isWaiting = (core: Core) => expect.poll(() => core.output.errors).toContain('standby: waiting')

test('scale 10: a standby is well but not ready, says so to everything else, and ends at once when it is asked to', async () => {
  await isReady(site.start('a'))
  const standby = site.start('b')
  await isWaiting(standby)
  const caller = createBrowser(standby.origin)
  expect(await caller.send('GET', '/healthz')).toMatchObject({ status: 200, text: '{"success":true}' })
  for (const path of ['/readyz', '/', '/dashboard/', '/api/v1/server', '/healthzz', '/metrics']) {
    const { status, body } = await caller.send('GET', path)
    expect([path, status, body.error]).toEqual([path, 503, expect.stringContaining('this server is a standby')])
  }
  standby.child.kill('SIGTERM')
  expect([await standby.ended, standby.output.errors]).toEqual([0, expect.any(String)])
  expect(standby.output.out).toBe('')
})

test('scale 10: quarterdeck check tells the active server, the age of its beat, the standbys, and what this one is', async () => {
  const check = async (place: string) => {
    const program = startProgram(['check', '--data', `${site.folder}/${place}`], { DATABASE_URL: site.url })
    return { code: await program.ended, said: program.output.out }
  }
  expect(await check('a')).toEqual({
    code: 0,
    said: 'active server: ok (none)\nstandby servers: ok (none)\nthis server: ok (not running)\n',
  })
  const active = site.start('a')
  await isReady(active)
  const standby = site.start('b')
  await isWaiting(standby)
  const one = await check('a')
  expect(one.code).toBe(0)
  expect(one.said).toMatch(
    new RegExp(
      `^active server: ok \\(\\S+, process ${active.child.pid}, version \\S+, beat \\d+\\.\\d s ago\\)\nstandby servers: ok \\(\\S+, process ${standby.child.pid}\\)\nthis server: ok \\(active\\)\n$`,
    ),
  )
  expect((await check('b')).said).toContain('this server: ok (standby)')
})

test('scale 10: the doctor tells the site to administrators, and misses a standby', async () => {
  const active = site.start('a')
  await isReady(active)
  const browser = await signedIn(active.origin)
  const told = async () => {
    const found = (await browser.api('GET', 'setting/doctor')) as { check: string; names: string[] }[]
    return Object.fromEntries(found.map(({ check, names }) => [check, names]))
  }
  const alone = await told()
  expect(alone.activeServer).toEqual([
    expect.stringMatching(new RegExp(`^\\S+ \\(${active.child.pid}\\), \\S+, \\d+\\.\\d s$`)),
  ])
  expect(alone.noStandby).toEqual([expect.stringContaining(`(${active.child.pid})`)])
  const standby = site.start('b')
  await isWaiting(standby)
  const both = await told()
  expect(both.standbyServers).toEqual([expect.stringContaining(`(${standby.child.pid})`)])
  expect(both.noStandby).toBeUndefined()
})

test('scale 10: without a database that both use, --standby is refused', async () => {
  const program = startProgram(['--no-agent', '--port', '0', '--data', `${site.folder}/alone`, '--standby'], {
    DATABASE_URL: '',
  })
  expect(await program.ended).toBe(2)
  expect(program.output.errors).toBe(
    'quarterdeck: --standby needs a PostgreSQL database that both servers use; set DATABASE_URL\n',
  )
})

test('scale 10: a standby that cannot reach its database says so and does not wait', async () => {
  const port = await freePort()
  const standby = site.start('a', { database: { port } })
  expect(await standby.ended).toBe(2)
  expect(standby.output.errors).toMatch(/^quarterdeck: cannot use the Postgres database in DATABASE_URL: .*\n$/)
})

test('scale 10: the restart of PostgreSQL leaves the database to the active server', async () => {
  const active = site.start('a')
  await isReady(active)
  const standby = site.start('b')
  await isWaiting(standby)
  await postgres.stop()
  await postgres.start()
  const statuses = async () => [await readiness(active.origin), await readiness(standby.origin)]
  const waits = () => standby.output.errors.match(/standby: waiting/g)?.length
  // A restart of more than 4 s, as on a busy machine, ends the active one.
  const hasEnded = () => active.child.exitCode !== null
  await expect.poll(async () => hasEnded() || (waits() === 2 && `${await statuses()}` === '200,503')).toBe(true)
  if (hasEnded()) expect(active.output.errors).toContain('a standby may be taking over')
  expect(active.output.errors).not.toContain('took over')
})

test('scale 13: a standby of another version waits and says so; one that is older than the database does not start', async () => {
  await isReady(site.start('a'))
  const { database } = site
  await database.query("update holder set version = '0.0.1'")
  const standby = site.start('b')
  await isWaiting(standby)
  await expect.poll(() => standby.output.errors).toMatch(/the active server has another version +active=0\.0\.1/)
  await database.query("insert into kysely_migration values ('9999-later', 'now')")
  expect(await standby.ended).toBe(2)
  expect(standby.output.errors).toContain('the Postgres database was written by a newer version (9999-later)')
})

test('scale 13: an upgrade of one server after the other loses nothing that was acknowledged, and the version before does not start on the upgraded database', async () => {
  const newer = await buildOtherServer('99.0.0', '9999-newer')
  try {
    const former = site.start('a')
    await isReady(former)
    const standby = site.start('b', { main: newer.main })
    await isWaiting(standby)
    await expect.poll(() => standby.output.errors).toMatch(/another version +active=\S+ own=99\.0\.0/)
    const browser = await signedIn(await site.balance())
    const writer = startWriter(browser, 'upgrade')
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(3)
    former.child.kill('SIGTERM')
    expect(await former.ended).toBe(0)
    await isReady(standby)
    const before = writer.acknowledged.length
    await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(before + 3)
    await writer.stop()
    const groups = (await browser.api('GET', 'server-group')) as { group: { name: string } }[]
    expect(writer.acknowledged.filter((name) => !groups.some(({ group }) => group.name === name))).toEqual([])
    const { rows } = await site.database.query('select version from holder')
    expect(rows).toEqual([{ version: '99.0.0' }])

    const refused = 'quarterdeck: the Postgres database was written by a newer version (9999-newer); '
    const again = site.start('a')
    expect([await again.ended, again.output.errors]).toEqual([2, expect.stringContaining(refused)])
    standby.child.kill('SIGTERM')
    await standby.ended
    const alone = site.start('a', { isStandby: false })
    expect([await alone.ended, alone.output.errors]).toEqual([2, expect.stringContaining(refused)])
    await isReady(site.start('b', { main: newer.main }))
  } finally {
    newer.close()
  }
})

test('issue 42: a server whose database is restored from an older backup ends and says so, and the standby serves what was restored', async () => {
  const former = site.start('a')
  await isReady(former)
  await (await signedIn(former.origin)).api('POST', 'server-group', { name: 'before' })
  const run = (program: string, ...words: string[]) =>
    execFileSync(join(folderOfPrograms(), program), words, { stdio: 'ignore' })
  const backup = join(site.folder, 'backup')
  run('pg_dump', '--format=custom', `--file=${backup}`, site.url)
  const active = site.start('b')
  await isWaiting(active)
  former.child.kill('SIGTERM')
  await former.ended
  await isReady(active)
  await (await signedIn(active.origin)).api('POST', 'server-group', { name: 'after' })
  const standby = site.start('a')
  await isWaiting(standby)
  run('pg_restore', '--clean', '--if-exists', '--single-transaction', `--dbname=${site.url}`, backup)
  expect(await active.ended).toBe(1)
  expect(active.output.errors).toContain(
    'another Quarterdeck server took over the Postgres database, or it was restored from a backup',
  )
  await isReady(standby)
  const groups = await (await signedIn(standby.origin)).api('GET', 'server-group')
  expect(groups).toMatchObject([{ group: { name: 'before' } }])
})

test('issue 42: servers whose clocks are 20 minutes apart agree on who is active, and say that they are', async () => {
  const active = site.start('a', clockAhead(-10))
  await isReady(active)
  const standby = site.start('b', clockAhead(10))
  await isWaiting(standby)
  for (const [{ output }, ahead] of [
    [active, -600],
    [standby, 600],
  ] as const) {
    const [, seconds] = /this machine’s clock differs from PostgreSQL’s.* seconds=(-?\d+)/.exec(output.errors) ?? []
    // A busy machine hears the time late.
    expect(Math.abs(Number(seconds) - ahead)).toBeLessThanOrEqual(5)
  }
  const browser = await signedIn(active.origin)
  const lastBeat = async () =>
    (await site.database.query<{ at: number }>('select extract(epoch from at)::float8 as at from holder')).rows[0]!.at
  const first = await lastBeat()
  // A standby ends a server that hangs for less.
  await expect.poll(lastBeat).toBeGreaterThan(first + 9)
  expect([await readiness(active.origin), await readiness(standby.origin)]).toEqual([200, 503])
  active.child.kill('SIGKILL')
  await isReady(standby)
  const same = createBrowser(standby.origin)
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)
  await same.api('POST', 'server-group', { name: 'after' })
})

test('issue 42: of two servers with the same host and process ID, as in containers, one has the database', async () => {
  const alike = preloaded("Object.defineProperty(process, 'pid', { value: 1 })")
  const active = site.start('a', alike)
  await isReady(active)
  const refused = site.start('b', { ...alike, isStandby: false })
  expect([await refused.ended, refused.output.errors]).toEqual([
    2,
    'quarterdeck: another Quarterdeck server is already using this Postgres database\n',
  ])
  const standby = site.start('b', alike)
  await isWaiting(standby)
  const named = () => site.database.query('select application_name from holder').then(({ rows }) => rows[0])
  const name = await named()
  expect(await readiness(active.origin)).toBe(200)
  active.child.kill('SIGSTOP')
  await isReady(standby)
  expect(await named()).not.toEqual(name)
  active.child.kill('SIGCONT')
  expect(await active.ended).toBe(1)
  expect(await readiness(standby.origin)).toBe(200)
})

test('scale 11: a standby that may not end the sessions of the active server says so', async () => {
  await isReady(site.start('a'))
  await site.database.query('create role other login')
  await site.database.query('grant all on all tables in schema public to other')
  const standby = site.start('b', { database: { username: 'other' } })
  expect(await standby.ended).toBe(2)
  expect(standby.output.errors).toContain('the active server connects as the PostgreSQL role qd')
})

/** Of a machine of its own, whose line goes down. Where there are none, the cut line of takeover.test.ts stands for it. */
const onMachine = (name: string, run: (wide: Site, far: CoreOptions, cut: () => void) => Promise<void>) =>
  test.skipIf(!hasNamespaces())(name, async () => {
    const machine = createMachine()
    const { near, far, network, inside } = machine
    const own = await startPostgres({ also: { address: near, network } })
    const wide = await createSite(own)
    try {
      await run(wide, { database: { hostname: near }, host: far, inside }, machine.cut)
    } finally {
      await wide.close()
      await own.close()
      machine.close()
    }
  })

onMachine(
  'scale 12: the network of the active server goes down: the standby answers through the balancer, and the other one ends',
  async (wide, far, cut) => {
    const active = wide.start('a', far)
    await isReady(active)
    const standby = wide.start('b')
    await isWaiting(standby)
    const origin = await wide.balance({ a: far.host! })
    const browser = await signedIn(origin)
    await browser.api('POST', 'server-group', { name: 'before' })
    cut()
    await isReady(standby)
    await expect
      .poll(async () => (await browser.send('POST', '/api/v1/server-group', { body: { name: 'after' } })).status)
      .toBe(200)
    expect(await active.ended).toBe(1)
    expect(active.output.errors).toContain('a standby may be taking over')
  },
)

onMachine(
  'scale 12: PostgreSQL itself notices that the machine of a server without --standby is gone, and the next server starts',
  async (wide, far, cut) => {
    await isReady(wide.start('a', { ...far, isStandby: false }))
    cut()
    const locks = "select from pg_locks where locktype = 'advisory' and granted"
    await expect.poll(async () => (await wide.database.query(locks)).rowCount).toBe(0)
    await isReady(wide.start('b', { isStandby: false }))
  },
)
