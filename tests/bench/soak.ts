import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCaller } from './caller.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'
import { createWatching, loopDelay } from './watching.ts'

const MiB = 1024 * 1024
const warmUpMs = 30_000
/** Between two calls of a list, and two looks at the memory. */
const every = { callMs: 1000, memoryMs: 10_000 }

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { minutes: text, agents: text, services: text, rules: text, reporters: text } })
const minutes = Number(values.minutes ?? 10)
const watching = {
  servers: Number(values.agents ?? 500),
  services: Number(values.services ?? 200),
  reporters: Number(values.reporters ?? 5),
  rules: Number(values.rules ?? 50),
}

/** what a fleet that reports, is probed and judged does to calls, memory and database over time. */
async function soak(product: Product): Promise<Row[]> {
  await product.agents(watching.servers, 3000)
  const caller = await createCaller(product)
  await createWatching(caller, watching)
  await sleep(warmUpMs)
  await loopDelay(product)
  const times: Record<string, number[]> = { '/api/v1/server': [], '/api/v1/service/list': [] }
  const memory: { minute: number; bytes: number }[] = []
  const started = performance.now()
  const before = product.usage()
  let lookedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const passed = performance.now() - started
    if (passed >= minutes * 60_000) break
    for (const [path, list] of Object.entries(times)) list.push(await timed(() => caller.send('GET', path)))
    if (passed - lookedAt >= every.memoryMs) {
      lookedAt = passed
      memory.push({ minute: passed / 60_000, bytes: product.usage().residentBytes })
    }
    await sleep(every.callMs)
  }
  const after = product.usage()
  const { p99, max } = await loopDelay(product)
  caller.close()
  const locked = product.logged('database is locked').length
  const troubles = product.logged('history cannot').length
  const share = (100 * (after.cpuSeconds - before.cpuSeconds)) / (minutes * 60)
  return [
    ...Object.entries(times).map(([path, list]) =>
      atMost({ what: `GET ${path}: p95`, limit: 200, figure: spread(list).p95, unit: 'ms' }),
    ),
    atMost({ what: 'event loop late: p99', limit: 50, figure: p99, unit: 'ms' }),
    atMost({ what: 'event loop late: worst', limit: 50, figure: max, unit: 'ms' }),
    atMost({ what: 'log lines "database is locked"', limit: 0, figure: locked, unit: 'lines', digits: 0 }),
    atMost({
      what: 'log lines of history that could not be kept',
      limit: 0,
      figure: troubles,
      unit: 'lines',
      digits: 0,
    }),
    // Sooner than that memory only shows how a process warms up.
    ...(minutes >= 5
      ? [atMost({ what: 'memory: growth', limit: 3, figure: slope(memory), unit: 'MiB/min', digits: 2 })]
      : []),
    atMost({ what: 'memory: at the end', limit: 200, figure: after.residentBytes / MiB, unit: 'MiB', digits: 0 }),
    atMost({ what: 'CPU of a core', limit: 6, figure: share, unit: '%' }),
  ]
}

/** MiB per minute of the second half, when what is kept in memory has its size, by least squares. */
function slope(memory: readonly { minute: number; bytes: number }[]): number {
  const points = memory.slice(Math.floor(memory.length / 2))
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ bytes }) => bytes))]
  const spreadX = points.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  const together = points.reduce((sum, { minute, bytes }) => sum + (minute - x) * (bytes - y), 0)
  return spreadX === 0 ? 0 : together / spreadX / MiB
}

const product = await startProduct()
try {
  const { servers, services, reporters, rules } = watching
  process.stdout.write(
    `${minutes} minutes: ${servers} agents each 3 s, ${services} services each 30 s by ${reporters} servers, ${rules} rules\n\n`,
  )
  const rows = await soak(product)
  const lines = rows.map(
    ({ what, budget, measured, met }) => `| ${what} | ${budget} | ${measured} | ${met ? 'met' : '**missed**'} |`,
  )
  process.stdout.write(`| What | At most | Measured | |\n|---|---|---|---|\n${lines.join('\n')}\n`)
  process.exitCode = rows.every(({ met }) => met) ? 0 : 1
} finally {
  await product.close()
}
