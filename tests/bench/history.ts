import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writePast } from '../support/server/history-data.ts'
import { createCaller } from './caller.ts'
import { startProduct } from './product.ts'
import { atMost, type Row, samples, spread } from './row.ts'
import { createWatching, loopDelay } from './watching.ts'

const MiB = 1024 * 1024
const dayMs = 86_400_000
const reportMs = 3000

/** What may be left out for a quick look. */
export interface HistoryOptions {
  /** Fleets that the cost of recording is measured with. */
  fleets?: readonly number[]
  warmUpMs?: number
  measureMs?: number
}

/** Figures of history: a month of 200 servers, and what recording costs. */
export async function historyRows(options: HistoryOptions = {}): Promise<Row[]> {
  const { fleets = [250, 1000, 4000], warmUpMs = 60_000, measureMs = 60_000 } = options
  const rows = await pastRows({ servers: 200, days: 30 })
  for (const count of fleets) rows.push(...(await costRows(count, { warmUpMs, measureMs })))
  return rows
}

/** Start and queries with a long past. */
export async function pastRows({ servers, days }: { servers: number; days: number }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-past-'))
  try {
    const first = await startProduct(folder)
    await first.agents(servers, reportMs)
    await first.close()
    const file = join(folder, 'history.db')
    rmSync(file, { force: true })
    const now = Date.now()
    await writePast(file, { servers, services: 200, now, days })
    const bytes = statSync(file).size
    const product = await startProduct(folder)
    const what = `${days} days of ${servers} servers`
    try {
      const caller = await createCaller(product)
      const one = (turn: number) => (turn % servers) + 1
      let turn = 0
      const metrics = await samples(100, () =>
        caller.send('GET', `/api/v1/server/${one(turn++)}/metrics?metric=cpu&period=30d`),
      )
      const chart = `metric=cpu,memory,net_in_speed,load1&from=${now - days * dayMs}&to=${now}&points=500`
      const charts = await samples(100, () => caller.send('GET', `/api/v1/history?servers=${one(turn++)}&${chart}`))
      caller.close()
      return [
        atMost({ what: `${what}: start to ready`, limit: 2000, figure: product.startedInMs, unit: 'ms', digits: 0 }),
        atMost({ what: `${what}: metrics call of 30 days, p95`, limit: 100, figure: spread(metrics).p95, unit: 'ms' }),
        atMost({
          what: `${what}: chart of 4 metrics over ${days} days, p95`,
          limit: 100,
          figure: spread(charts).p95,
          unit: 'ms',
        }),
        atMost({ what: `${what}: on the disk`, limit: 400, figure: bytes / MiB, unit: 'MiB', digits: 0 }),
      ]
    } finally {
      await product.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Budget of 1,000 agents with 200 monitors and 50 rules (decisions.md, "Budgets"); others in proportion, with what a server at rest needs. */
const cpuLimit = (count: number) => Math.max(3, (6 * count) / 1000)

async function costRows(
  count: number,
  { warmUpMs, measureMs }: Required<Omit<HistoryOptions, 'fleets'>>,
): Promise<Row[]> {
  const product = await startProduct()
  try {
    await product.agents(count, reportMs)
    const caller = await createCaller(product)
    await createWatching(caller, { servers: count, services: 200, reporters: 3, rules: 50 })
    caller.close()
    await sleep(warmUpMs)
    await loopDelay(product)
    const before = product.usage()
    await sleep(measureMs)
    const after = product.usage()
    const { p99, max } = await loopDelay(product)
    const share = (100_000 * (after.cpuSeconds - before.cpuSeconds)) / measureMs
    const what = `${count} agents, 200 monitors, 50 rules, history on`
    return [
      atMost({ what: `${what}: CPU of a core`, limit: cpuLimit(count), figure: share, unit: '%' }),
      atMost({ what: `${what}: event loop late, worst`, limit: 50, figure: max, unit: 'ms' }),
      atMost({ what: `${what}: event loop late, p99`, limit: 50, figure: p99, unit: 'ms' }),
      ...(count === 1000
        ? [atMost({ what: `${what}: memory`, limit: 200, figure: after.residentBytes / MiB, unit: 'MiB', digits: 0 })]
        : []),
    ]
  } finally {
    await product.close()
  }
}
