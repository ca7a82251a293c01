import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { freePort, type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startProgram } from '../support/program.ts'
import { type Core, createMachine, createSite, hasNamespaces, readiness, type Site, signedIn } from '../support/site.ts'

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

test('scale 11: a standby that may not end the sessions of the active server says so', async () => {
  await isReady(site.start('a'))
  await site.database.query('create role other login')
  await site.database.query('grant all on all tables in schema public to other')
  const standby = site.start('b', { database: { username: 'other' } })
  expect(await standby.ended).toBe(2)
  expect(standby.output.errors).toContain('the active server connects as the PostgreSQL role qd')
})

/** Where there are none, the cut line of takeover.test.ts stands for it. */
test.skipIf(!hasNamespaces())(
  'scale 12: the network of the active server goes down: the standby answers through the balancer, and the other one ends',
  async () => {
    const machine = createMachine()
    const { near, far, network, inside } = machine
    const own = await startPostgres({ also: { address: near, network } })
    const wide = await createSite(own)
    try {
      const active = wide.start('a', { database: { hostname: near }, host: far, inside })
      await isReady(active)
      const standby = wide.start('b')
      await isWaiting(standby)
      const origin = await wide.balance({ a: far })
      const browser = await signedIn(origin)
      await browser.api('POST', 'server-group', { name: 'before' })
      machine.cut()
      await isReady(standby)
      await expect
        .poll(async () => (await browser.send('POST', '/api/v1/server-group', { body: { name: 'after' } })).status)
        .toBe(200)
      expect(await active.ended).toBe(1)
      expect(active.output.errors).toContain('a standby may be taking over')
    } finally {
      await wide.close()
      await own.close()
      machine.close()
    }
  },
)
