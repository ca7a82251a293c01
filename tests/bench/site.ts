import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../support/peers/postgres.ts'
import {
  type Core,
  createMachine,
  createSite,
  hasNamespaces,
  readiness,
  signedIn,
  startWriter,
} from '../support/site.ts'
import { startProduct } from './product.ts'
import { atMost, type Row, spread } from './row.ts'

const seconds = (ms: readonly number[]) =>
  `${(spread(ms).p50 / 1000).toFixed(1)}; ${(Math.max(...ms) / 1000).toFixed(1)} s`
const tries = Number(process.env.QD_TRIES ?? 3)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10)
}

/** How the active server goes, and how soon the standby must answer calls. */
const ways = [
  { what: 'kill -9', limitMs: 3000, go: ({ child }: Core) => child.kill('SIGKILL') },
  { what: 'SIGSTOP', limitMs: 8000, go: ({ child }: Core) => child.kill('SIGSTOP') },
  { what: 'SIGTERM', limitMs: 3000, go: ({ child }: Core) => child.kill('SIGTERM') },
] as const

/** Times of a takeover, and 1,000 agents on PostgreSQL beside SQLite. */
export async function siteRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const way of ways) rows.push(...(await takeoverRows(way)))
  if (hasNamespaces()) rows.push(...(await takeoverRows({ what: 'its network goes down', limitMs: 10_000, go: null })))
  return [...rows, ...(await databaseRows())]
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
const warmUpMs = 20_000
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

async function databaseRows(): Promise<Row[]> {
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
