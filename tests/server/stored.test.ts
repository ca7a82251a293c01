import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { type Received, type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { type Program, startProgram } from '../support/program.ts'
import { siteSecret, uuidOf } from '../support/world.ts'

const password = 'correct horse battery'
const triesOr = (few: number) => Number(process.env.QD_TRIES ?? few)
/** As many as are told of one by one. */
const hosts = 10

type Row = Record<string, unknown>

let postgres: Postgres
let receiver: Receiver
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.close())

let data: string
let database: string
let program: Program | null = null
let count = 0
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'qd-stored-'))
  receiver = await startReceiver()
  count += 1
  database = `stored_${count}`
})
afterEach(async () => {
  await kill()
  await receiver.close()
  rmSync(data, { recursive: true, force: true })
})

async function query(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows as Row[]
}

/** `slow`: whoever doesn't wait for the writes answers long before. */
const engines = {
  SQLite: {
    url: () => null,
    async prepare() {},
    async slow() {
      const counting = `(with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000) select i from n)`
      const file = new Driver(join(data, 'quarterdeck.db'), { timeout: 10_000 })
      file.exec(`create trigger slow before update on incidents begin select count(*) from ${counting}; end`)
      file.close()
    },
    async rows(text: string): Promise<Row[]> {
      const file = new Driver(join(data, 'quarterdeck.db'))
      const found = file.prepare(text).all() as Row[]
      file.close()
      return found
    },
  },
  PostgreSQL: {
    url: () => postgres.url.replace(/postgres$/, database),
    async prepare() {
      await query(postgres.url, `create database ${database}`)
    },
    async slow() {
      const on = (table: string) =>
        `create trigger slow before insert or update on ${table} for each row execute function slow();`
      await query(
        this.url(),
        `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end'; ${on('incidents')} ${on('audit')}`,
      )
    },
    rows(text: string): Promise<Row[]> {
      return query(this.url(), text)
    },
  },
}

async function start(url: string | null): Promise<{ browser: Browser; port: number }> {
  const started = startProgram(['--no-agent', '--port', '0', '--data', data], {
    QD_ADMIN_PASSWORD: password,
    QD_AGENT_SECRET: siteSecret,
    DATABASE_URL: url ?? '',
  })
  program = started
  const origin = await started.ready()
  const browser = createBrowser(origin)
  await browser.login('admin', password)
  return { browser, port: Number(new URL(origin).port) }
}

async function kill(): Promise<void> {
  program?.child.kill('SIGKILL')
  await program?.ended
  program = null
}

/** Hosts that came once and are offline from now on. */
async function addHosts(port: number, many: number): Promise<void> {
  for (let at = 1; at <= many; at += 1)
    await (await startSimulatedAgent({ port, secret: siteSecret, uuid: uuidOf(at) })).close()
}

const addRule = (browser: Browser, name: string, group: number) =>
  browser.api('POST', 'alert-rule', {
    name,
    enable: true,
    rules: [{ type: 'offline', duration: 3, cover: 0 }],
    trigger_mode: 1,
    notification_group_id: group,
    fail_trigger_tasks: [],
    recover_trigger_tasks: [],
  })

const textOf = ({ body }: Received) => (JSON.parse(body) as { text: string }).text

describe.each(Object.values(engines).map((engine, at) => [Object.keys(engines)[at], engine] as const))(
  'on %s',
  (_name, engine) => {
    test('scale 8: an acknowledgement, a silence and a note that were answered survive kill -9, as do their audit entries', {
      timeout: 60_000 + triesOr(1) * 60_000,
    }, async () => {
      const tries = triesOr(1)
      await engine.prepare()
      let { browser, port } = await start(engine.url())
      await addHosts(port, 1)
      const group = await receiver.addGroup(browser)
      for (let attempt = 1; attempt <= tries; attempt += 1) await addRule(browser, `gone ${attempt}`, group)
      for (let attempt = 1; attempt <= tries; attempt += 1) await receiver.inbox.next(60_000)
      await engine.slow()
      const audited = async () => (await engine.rows("select * from audit where action like 'incident %'")).length
      for (let attempt = 1; attempt <= tries; attempt += 1) {
        for (const [action, body, column, value] of [
          ['ack', undefined, 'acked_by', 'admin'],
          ['note', { text: 'looked at' }, 'responses', expect.stringContaining('looked at')],
          ['silence', { duration: 3600 }, 'state', 'silenced'],
        ] as const) {
          const before = await audited()
          await browser.api('POST', `incident/${attempt}/${action}`, body)
          await kill()
          const [row] = await engine.rows(`select * from incidents where id = ${attempt}`)
          expect([action, row![column]]).toEqual([action, value])
          expect(await audited()).toBe(before + 1)
          ;({ browser, port } = await start(engine.url()))
        }
      }
    })

    test('scale 9: kill -9 while incidents are told of: none stays untold, at most one message per kill comes twice, with the same header', {
      timeout: 60_000 + triesOr(2) * 30_000,
    }, async () => {
      const tries = triesOr(2)
      await engine.prepare()
      let { browser, port } = await start(engine.url())
      await addHosts(port, hosts)
      const group = await receiver.addGroup(browser)
      const received: Received[] = []
      const next = async () => {
        const one = await receiver.inbox.next(60_000)
        received.push(one)
        return one
      }
      const expected = () => Math.ceil(attempt / 4) * hosts
      const different = () => new Set(received.map(textOf)).size
      let attempt = 0
      while (attempt < tries) {
        if (attempt % 4 === 0) {
          attempt += 1
          await addRule(browser, `gone ${attempt}`, group)
        } else attempt += 1
        // In turn: before it gets its answer, and right after.
        receiver.answers = attempt % 2 === 0 ? 200 : 'nothing'
        await next()
        await kill()
        receiver.answers = 200
        ;({ browser, port } = await start(engine.url()))
        if (attempt % 4 === 0 || attempt === tries) while (different() < expected()) await next()
      }
      await vi.waitFor(async () => expect(await engine.rows('select * from outbox')).toEqual([]), 30_000)
      received.push(...receiver.inbox.unread)
      const headers = new Map<string, Set<unknown>>()
      for (const one of received) {
        const known = headers.get(textOf(one)) ?? new Set()
        headers.set(textOf(one), known.add(one.headers['x-quarterdeck-notice']))
      }
      expect([...headers.values()].filter((of) => of.size !== 1 || of.has(undefined))).toEqual([])
      expect(new Set([...headers.values()].flatMap((of) => [...of])).size).toBe(expected())
      expect(received.length - different()).toBeLessThanOrEqual(tries)
      const told = await engine.rows('select told from incidents')
      expect(told.filter(({ told: text }) => (JSON.parse(String(text)) as unknown[]).length !== 1)).toEqual([])
    })
  },
)
