import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '../support/browser.ts'
import { startLine } from '../support/peers/line.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { journalOf, openJournal } from '../support/server/history-data.ts'
import {
  type Core,
  createMachine,
  createSite,
  hasNamespaces,
  readiness,
  type Site,
  signedIn,
  startWriter,
} from '../support/site.ts'
import { siteSecret, uuidOf } from '../support/world.ts'
import { createCaller } from './caller.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'

const seconds = (ms: readonly number[]) =>
  `${(spread(ms).p50 / 1000).toFixed(1)}; ${(Math.max(...ms) / 1000).toFixed(1)} s`
const tries = Number(process.env.QD_TRIES ?? 2)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10)
}

/** How the active server goes, and how soon the standby must answer calls: the limits of the design's checks. */
const ways = [
  { what: 'scale 10: kill -9', limitMs: 3000, go: ({ child }: Core) => child.kill('SIGKILL') },
  { what: 'scale 11: SIGSTOP', limitMs: 8000, go: ({ child }: Core) => child.kill('SIGSTOP') },
  { what: 'scale 13: SIGTERM', limitMs: 3000, go: ({ child }: Core) => child.kill('SIGTERM') },
] as const

/** By the number of the design’s check: `npm run bench -- site 15` takes it alone. */
export const siteParts: Readonly<Record<string, () => Promise<Row[]>>> = {
  3: databaseSilentRows,
  4: databaseGoneRows,
  ...Object.fromEntries(ways.map((way) => [/\d+/.exec(way.what)![0], () => takeoverRows(way)])),
  12: async () =>
    hasNamespaces() ? takeoverRows({ what: 'scale 12: its network goes down', limitMs: 10_000, go: null }) : [],
  15: markRows,
  agents: shareRows,
}

/** Times of a takeover and of a database that is silent or gone, and what PostgreSQL costs beside SQLite. */
export async function siteRows(chosen: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const [part, measure] of Object.entries(siteParts))
    if (chosen.length === 0 || chosen.includes(part)) rows.push(...(await measure()))
  return rows
}

async function onSite(measure: (site: Site, postgres: Postgres) => Promise<Row[]>): Promise<Row[]> {
  const postgres = await startPostgres()
  const site = await createSite(postgres)
  try {
    return await measure(site, postgres)
  } finally {
    await site.close()
    await postgres.close()
  }
}

const write = (browser: Browser) => browser.send('POST', '/api/v1/server-group', { body: { name: 'lost' } })

const withinSeconds = (what: string, limit: number, ms: number) => atMost({ what, limit, figure: ms / 1000, unit: 's' })

/** A database that accepts everything and answers nothing. */
function databaseSilentRows(): Promise<Row[]> {
  return onSite(async (site) => {
    const line = await startLine(site.url)
    try {
      const core = site.start('a', { isStandby: false, database: { port: line.port } })
      await until(async () => (await readiness(core.origin)) === 200)
      const browser = await signedIn(core.origin)
      line.hold()
      const codes: unknown[] = []
      const [health, written] = await Promise.all([
        timed(async () => codes.push((await browser.send('GET', '/healthz')).status)),
        timed(async () => codes.push((await write(browser)).body.code)),
      ])
      core.child.kill('SIGTERM')
      const end = await timed(() => core.ended)
      const what = 'scale 3: the database is silent'
      return [
        withinSeconds(`${what}: /healthz (${codes[0]})`, 1.5, health),
        withinSeconds(`${what}: a write (${codes[1]})`, 11, written),
        withinSeconds(`${what}: SIGTERM until the end`, 5, end),
      ]
    } finally {
      line.close()
    }
  })
}

/** PostgreSQL is stopped under a server without a standby, to which 20 writes per second and a new agent come. */
function databaseGoneRows(): Promise<Row[]> {
  return onSite(async (site, postgres) => {
    const built = await buildAgent()
    const { origin, output } = site.start('a', { isStandby: false })
    await until(async () => (await readiness(origin)) === 200)
    const browser = await signedIn(origin)
    const linesBefore = output.errors.split('\n').length
    await postgres.stop()
    await until(async () => (await readiness(origin)) === 503)
    const agent = startRealAgent({
      program: built.agent,
      port: Number(new URL(origin).port),
      secret: siteSecret,
      uuid: uuidOf(1),
      folder: site.folder,
    })
    try {
      const until60 = performance.now() + 60_000
      while (performance.now() < until60) await Promise.all([write(browser), sleep(50)])
      await postgres.start()
      const isIn = async () => ((await browser.api('GET', 'server')) as unknown[] | null)?.length === 1
      const [back, agentIn] = await Promise.all([
        timed(() => until(async () => (await readiness(origin)) === 200)),
        timed(() => until(isIn)),
      ])
      const what = 'scale 4: the database is gone for 60 s and comes back'
      return [
        withinSeconds(`${what}: ready again`, 15, back),
        withinSeconds(`${what}: a new agent of that time is in`, 15, agentIn),
        atMost({
          what: `${what}: lines in the log`,
          limit: 20,
          figure: output.errors.split('\n').length - linesBefore,
          unit: '',
          digits: 0,
        }),
      ]
    } finally {
      await agent.stop()
      built.close()
    }
  })
}

async function takeoverRows({
  what,
  limitMs,
  go,
}: {
  what: string
  limitMs: number
  go: ((core: Core) => unknown) | null
}) {
  const locks: number[] = []
  const readies: number[] = []
  const writes: number[] = []
  let lost = 0
  let acknowledged = 0
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const machine = go === null ? createMachine() : null
    const postgres = await startPostgres(machine ? { also: { address: machine.near, network: machine.network } } : {})
    const site = await createSite(postgres)
    try {
      const far = machine && { database: { hostname: machine.near }, host: machine.far, inside: machine.inside }
      const active = site.start('a', far ?? {})
      await until(async () => (await readiness(active.origin)) === 200)
      const standby = site.start('b')
      await until(() => standby.output.errors.includes('standby: waiting'))
      const origin = await site.balance(machine ? { a: machine.far } : {})
      const writer = startWriter(await signedIn(origin), 'bench')
      await until(() => writer.acknowledged.length > 20)
      const began = performance.now()
      const since = () => performance.now() - began
      if (machine) machine.cut()
      else go!(active)
      const isHeld = async () => {
        const { rows } = await site.database.query<{ name: string }>('select application_name as name from holder')
        return rows[0]!.name.includes(` ${standby.child.pid} `)
      }
      await Promise.all([
        until(isHeld).then(() => locks.push(since())),
        until(async () => (await readiness(standby.origin)) === 200).then(async () => {
          readies.push(since())
          // Through the balancer, which looks every half second.
          const before = writer.acknowledged.length
          await until(() => writer.acknowledged.length > before)
          writes.push(since())
        }),
      ])
      await writer.stop()
      const groups = (await (await signedIn(standby.origin)).api('GET', 'server-group')) as {
        group: { name: string }
      }[]
      const names = groups.map(({ group }) => group.name)
      acknowledged += writer.acknowledged.length
      lost += writer.acknowledged.filter((name) => names.filter((one) => one === name).length !== 1).length
    } finally {
      await site.close()
      await postgres.close()
      machine?.close()
    }
  }
  const slowest = Math.max(...readies)
  return [
    {
      what: `takeover, ${what}, ${tries} times: lock; ready; a write through the balancer (median; worst of each)`,
      budget: `ready in ${limitMs / 1000} s`,
      measured: [locks, readies, writes].map(seconds).join(' | '),
      met: slowest <= limitMs,
    },
    atMost({
      what: `takeover, ${what}: acknowledged writes lost or doubled, of ${acknowledged}`,
      limit: 0,
      figure: lost,
      unit: '',
      digits: 0,
    }),
  ]
}

const agents = 1000
const reportMs = 3000
const warmUpMs = 15_000
/** A step of history is written in each half. */
const measureMs = 60_000

async function shareOf(databaseUrl: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-site-'))
  const product = await startProduct(folder, { DATABASE_URL: databaseUrl })
  try {
    await product.agents(agents, reportMs)
    await sleep(warmUpMs)
    const before = product.usage().cpuSeconds
    await sleep(measureMs)
    return (100_000 * (product.usage().cpuSeconds - before)) / measureMs
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function shareRows(): Promise<Row[]> {
  const postgres = await startPostgres()
  try {
    const sqlite = await shareOf('')
    const other = await shareOf(postgres.url)
    const what = `${agents} agents, a sample each 3 s: CPU of a core with PostgreSQL (SQLite: ${sqlite.toFixed(1)} %)`
    return [atMost({ what, limit: Number((1.15 * sqlite).toFixed(1)), figure: other, unit: '%' })]
  } finally {
    await postgres.close()
  }
}

const many = 3000
const rowMs = 600_000
const stepMs = 30_000
/** One call of thousands waits for whatever the machine does just then: the median of several worst ones counts. */
const rounds = 3

async function markRows(): Promise<Row[]> {
  const own: number[] = []
  const other: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    own.push(await worstAtMark(''))
    const postgres = await startPostgres()
    other.push(await worstAtMark(postgres.url).finally(postgres.close))
  }
  const sqlite = spread(own).p50
  const what = `scale 15: ten minutes of ${many} servers move into rows: worst plain call with PostgreSQL, median of ${rounds} runs in turn with SQLite (${sqlite.toFixed(1)} ms)`
  return [atMost({ what, limit: Number((1.5 * sqlite).toFixed(1)), figure: spread(other).p50, unit: 'ms' })]
}

/** The longest of the calls, in ms, while a row of history is rolled up. */
async function worstAtMark(databaseUrl: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-mark-'))
  const settings = { DATABASE_URL: databaseUrl }
  await (await startProduct(folder, settings)).close()
  const journal = await openJournal(folder, databaseUrl)
  const current = Math.floor(Date.now() / rowMs) * rowMs
  for (const { at, data } of journalOf(many, current - rowMs)) await journal.add(at, data)
  let product: Product | null = null
  try {
    // The next step begins the work, with the server started and warm.
    const markAt = (Math.floor((Date.now() + warmUpMs) / stepMs) + 1) * stepMs
    await sleep(markAt - warmUpMs - Date.now())
    product = await startProduct(folder, settings)
    const caller = await createCaller(product)
    await product.agents(1, 3000)
    async function call(): Promise<number> {
      await sleep(5)
      return timed(() => caller.send('GET', '/api/v1/setting'))
    }
    // What the first calls of a process wait for is none of the mark.
    while (Date.now() < markAt) await call()
    const times: number[] = []
    while (times.length % 50 > 0 || (await journal.left(current)) > 0) times.push(await call())
    caller.close()
    return Math.max(...times)
  } finally {
    await journal.close()
    await product?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
