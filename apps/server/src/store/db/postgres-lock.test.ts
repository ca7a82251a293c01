import { sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startLine } from '../../../../../tests/support/peers/line.ts'
import { type Postgres, startPostgres } from '../../../../../tests/support/peers/postgres.ts'
import { checkHolder } from '../../upkeep/commands.ts'
import { connectPostgres } from './postgres.ts'
import { lockKey } from './postgres-holder.ts'
import { type PostgresLock, takeLock } from './postgres-lock.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres({ connections: 50 })
})
afterAll(() => postgres.close())

let url: string
/** For queries beside the servers. */
let database: pg.Client
let count = 0
const closings: (() => unknown)[] = []
beforeEach(async () => {
  count += 1
  const admin = await connect(postgres.url)
  await admin.query(`create database lock_${count}`)
  url = postgres.url.replace(/postgres$/, `lock_${count}`)
  database = await connect(url)
})
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function connect(to: string, name = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to, application_name: name, query_timeout: 3000 })
  client.on('error', () => {})
  await client.connect()
  closings.push(() => client.end().catch(() => {}))
  return client
}

const nameOf = (server: string) => `quarterdeck ${server} 1 0`

/** A server of this name; `onQuery` sees what it asks, and may throw. */
function serve(
  server: string,
  {
    isStandby = true,
    onQuery = () => {},
    open = () => connect(url, nameOf(server)),
  }: { isStandby?: boolean; onQuery?(text: string, session: pg.Client): void; open?(): Promise<pg.Client> } = {},
) {
  const name = nameOf(server)
  const events: string[] = []
  const ending = new AbortController()
  const pool = new pg.Pool({ connectionString: url, application_name: name, max: 1 })
  pool.on('error', () => {})
  let lock: PostgresLock | null = null
  let couldAct: boolean | null = null
  const note = (what: string) => () => void events.push(what)
  const taking = takeLock({
    async connect() {
      const session = await open()
      const ask = session.query.bind(session) as (...given: unknown[]) => unknown
      session.query = ((...given: unknown[]) => {
        onQuery(String((given[0] as { text?: string }).text ?? given[0]), session)
        return ask(...given)
      }) as typeof session.query
      return session
    },
    pool,
    events: {
      opened() {},
      lost() {
        events.push('lost')
        couldAct = lock!.mayAct()
      },
      regained: note('regained'),
      taken: note('taken'),
      waiting: note('waiting'),
      away: (error) => void events.push(`away: ${error.message}`),
    },
    name,
    standby: isStandby ? ending.signal : null,
  }).then((taken) => {
    lock = taken
    return taken!
  })
  taking.catch(() => {})
  closings.push(async () => {
    ending.abort()
    await (await taking.catch(() => null))?.release()
    await pool.end()
  })
  return { events, taking, ending, couldAct: () => couldAct }
}

/** The row, as another server has left it. */
async function leaveRow(name: string, { former = null, age = 0 }: { former?: string | null; age?: number } = {}) {
  await database.query(`create table holder (id integer primary key, application_name text, at timestamptz,
    version text, is_standby boolean, former text)`)
  await database.query(
    'insert into holder values (1, $1, clock_timestamp() - make_interval(secs => $2), $3, true, $4)',
    [name, age, '1.0.0', former],
  )
}

const row = async () =>
  (await database.query<{ name: string; former: string | null }>('select application_name as name, former from holder'))
    .rows[0]

/** A server that has the lock and does nothing. */
async function hang(name: string): Promise<pg.Client> {
  const session = await connect(url, name)
  await session.query('select pg_advisory_lock($1)', [lockKey])
  return session
}

const endOf = (session: pg.Client) => new Promise((resolve) => session.once('end', resolve))

test('a standby whose session is cut after it took the row still ends the sessions of the hung server, and takes over', async () => {
  await leaveRow(nameOf('hung'), { age: 60 })
  const gone = endOf(await hang(nameOf('hung')))
  let cuts = 0
  const { taking, events } = serve('standby', {
    onQuery(text) {
      if (!text.includes('pg_terminate_backend') || cuts > 0) return
      cuts += 1
      throw new Error('Connection terminated')
    },
  })
  expect((await taking).isHeld()).toBe(true)
  await gone
  expect([cuts, events]).toEqual([1, ['waiting', 'away: Connection terminated']])
  expect(await row()).toEqual({ name: nameOf('standby'), former: null })
})

test.each(['standby', 'other'])(
  'a server that takes a free lock ends what the former one left, where the row names the %s that had no time for it',
  async (named) => {
    const late = await connect(url, nameOf('hung'))
    const gone = endOf(late)
    await leaveRow(nameOf(named), { former: nameOf('hung') })
    expect((await serve('standby').taking).isHeld()).toBe(true)
    await gone
    expect(await row()).toEqual({ name: nameOf('standby'), former: null })
  },
)

test('while the database can’t be written, a standby keeps waiting, and the server that can’t write its beat stays', async () => {
  const setReadOnly = async (is: boolean) => {
    await database.query(`alter system set default_transaction_read_only = ${is ? 'on' : 'off'}`)
    await database.query('select pg_reload_conf()')
  }
  const active = serve('active', { isStandby: false })
  const lock = await active.taking
  const standby = serve('standby')
  closings.push(() => setReadOnly(false))
  await expect.poll(() => standby.events).toEqual(['waiting'])
  await setReadOnly(true)
  await expect.poll(() => standby.events).toEqual(['waiting', expect.stringContaining('read-only transaction')])
  await setReadOnly(false)
  const isBeaten = "select from holder where at > clock_timestamp() - interval '2 s'"
  await expect.poll(async () => (await database.query(isBeaten)).rowCount).toBe(1)
  await expect.poll(lock.isHeld).toBe(true)
  expect(await row()).toEqual({ name: nameOf('active'), former: null })
})

test('a plain server does nothing more once another one has the row; one with --standby, once its session is lost', async () => {
  const plain = serve('plain', { isStandby: false })
  const lock = await plain.taking
  expect(lock.mayAct()).toBe(true)
  await database.query("update holder set application_name = 'another'")
  await expect.poll(() => plain.events).toContain('taken')
  expect(lock.mayAct()).toBe(false)

  const server = serve('server')
  expect((await server.taking).mayAct()).toBe(true)
  await database.query('select pg_terminate_backend(pid) from pg_locks where locktype = $1 and objid = $2', [
    'advisory',
    lockKey,
  ])
  await expect.poll(server.couldAct).toBe(false)
})

test('a server whose database becomes one of an older backup does nothing more, also where the backup names it', async () => {
  const server = serve('server', { isStandby: false })
  const lock = await server.taking
  const first = (await database.query('select at from holder')).rows[0]
  await expect.poll(async () => (await database.query('select at from holder')).rows[0]).not.toEqual(first)
  expect(server.events).toEqual([])
  await database.query("update holder set at = at - interval '11 s'")
  await expect.poll(() => server.events).toEqual(['taken'])
  expect(lock.mayAct()).toBe(false)
})

test('a standby fences no server whose name is in the row without having the lock', async () => {
  await leaveRow(nameOf('other'), { age: 60 })
  await hang('quarterdeck-migrate')
  const other = await connect(url, nameOf('other'))
  let looks = 0
  serve('standby', {
    onQuery(text) {
      if (text.includes('from holder where id = 1')) looks += 1
    },
  })
  // It fences at the third one otherwise.
  await expect.poll(() => looks).toBeGreaterThan(5)
  expect(await row()).toEqual({ name: nameOf('other'), former: null })
  await other.query('select 1')
})

test('a standby ends at once when it is asked to while its database is silent', async () => {
  await hang(nameOf('active'))
  let opened = 0
  const { taking, ending } = serve('standby', {
    open() {
      opened += 1
      return opened === 1 ? connect(url, nameOf('standby')) : new Promise<pg.Client>(() => {})
    },
  })
  const isThere = "select from pg_stat_activity where application_name = $1 and query like '%advisory%'"
  await expect.poll(async () => (await database.query(isThere, [nameOf('standby')])).rowCount).toBe(1)
  await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    nameOf('standby'),
  ])
  await expect.poll(() => opened).toBe(2)
  ending.abort()
  await expect(taking).rejects.toBe(ending.signal.reason)
})

test('check: standbys without an active server are a fault, also where the row names one of them', async () => {
  const check = async () => (await checkHolder({ data: '/nonexistent' }, url)).map(({ fault, note }) => fault ?? note)
  expect(await check()).toEqual(['none', 'none', 'not running'])
  await leaveRow(nameOf('standby'))
  await connect(url, nameOf('standby'))
  const fault = 'none, while standby servers wait'
  expect(await check()).toEqual([fault, 'standby, process 1', 'not running'])
  await hang(nameOf('standby'))
  expect(await check()).toEqual([expect.stringMatching(/^standby, process 1, version 1\.0\.0/), 'none', 'not running'])
})

test('check: a silent database is refused, not waited for', async () => {
  const line = await startLine(url)
  closings.push(line.close)
  line.hold()
  const silent = new URL(url)
  silent.port = `${line.port}`
  await expect(checkHolder({ data: '/nonexistent' }, silent.href)).rejects.toThrow('cannot use the Postgres database')
})

test('a pool that found few connections at its start takes more once there are some', async () => {
  const admin = await connect(url)
  await admin.query(`create role small_${count} login connection limit 3`)
  await admin.query(`alter database lock_${count} owner to small_${count}`)
  const log = { info() {}, warn: (...said: unknown[]) => void logged.push(said), error() {} } as unknown as Logger
  const logged: unknown[] = []
  const { db } = await connectPostgres(url.replace('//qd@', `//small_${count}@`), { log, taken() {} })
  closings.push(() => db.destroy())
  expect(logged).toEqual([[{ connections: 3 }, 'the database allows fewer connections than the server uses']])
  await admin.query(`alter role small_${count} connection limit 10`)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  closings.push(() => later.mockRestore())
  // Each waits for the others, with a connection of its own.
  let waiting = 0
  await Promise.all(
    [1, 2, 3].map(() =>
      db.connection().execute(async (one) => {
        await sql`select 1`.execute(one)
        waiting += 1
        await vi.waitUntil(() => waiting === 3, 60_000)
      }),
    ),
  )
})

/** A server all of whose connections are in use until `letGo`; the pool’s time limit for the next callers has passed `queued()` times. */
async function servedFully({ at = url, connections = 3 } = {}) {
  const log = { info() {}, warn() {}, error() {} } as unknown as Logger
  const { db } = await connectPostgres(at, { log, taken() {} })
  closings.push(() => db.destroy())
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let taken = 0
  const others = Array.from({ length: connections }, () =>
    db.connection().execute(async (one) => {
      await sql`select 1`.execute(one)
      taken += 1
      await held
    }),
  )
  await expect.poll(() => taken).toBe(connections)
  const start = setTimeout
  let queued = 0
  const sooner = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    if (ms !== 10_000) return start(run, ms)
    queued += 1
    return start(run, 500)
  }) as typeof setTimeout)
  closings.push(() => sooner.mockRestore())
  return {
    db,
    queued: () => queued,
    async letGo() {
      letGo()
      await Promise.all(others)
    },
  }
}

test('a query that waits for others longer than for a silent database is not told that the database is away', async () => {
  const { db, queued, letGo } = await servedFully()
  const late = sql`select 1 as one`.execute(db)
  late.catch(() => {})
  await expect.poll(queued).toBeGreaterThan(1)
  await letGo()
  expect((await late).rows).toEqual([{ one: 1 }])
})

test('nor is one for which the database has no more connections', async () => {
  const admin = await connect(url)
  await admin.query(`create role full_${count} login connection limit 3`)
  await admin.query(`alter database lock_${count} owner to full_${count}`)
  const { db, queued, letGo } = await servedFully({ at: url.replace('//qd@', `//full_${count}@`), connections: 1 })
  await admin.query(`alter role full_${count} connection limit 2`)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  closings.push(() => later.mockRestore())
  const late = sql`select 1 as one`.execute(db)
  late.catch(() => {})
  // The pool and its client each have one for a new connection, which is refused; then it waits for the others, twice.
  await expect.poll(queued).toBeGreaterThan(3)
  await letGo()
  expect((await late).rows).toEqual([{ one: 1 }])
})

test('a query that waits for others for a minute fails', async () => {
  const { db, queued, letGo } = await servedFully()
  await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'databaseAway' })
  expect(queued()).toBe(6)
  await letGo()
})
