import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { descriptorsOf } from './attack.ts'
import { createCaller } from './caller.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'
import { createWatching, loopDelay, startIdle, view } from './watching.ts'

const MiB = 1024 * 1024
const warmUpMs = 30_000
/** Between two calls of a list, two looks at the memory, and at the event loop. */
const every = { callMs: 1000, memoryMs: 10_000, delayMs: 60_000 }

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { minutes: text, agents: text, services: text, rules: text, reporters: text, viewers: text },
})
const minutes = Number(values.minutes ?? 60)
const viewers = Number(values.viewers ?? 3)
const watching = {
  servers: Number(values.agents ?? 500),
  services: Number(values.services ?? 200),
  reporters: Number(values.reporters ?? 5),
  rules: Number(values.rules ?? 50),
}

/** what a fleet that reports, is probed, judged and watched does to calls, memory, descriptors and database over time. */
async function soak(product: Product): Promise<Row[]> {
  await product.agents(watching.servers, 3000)
  const caller = await createCaller(product)
  await createWatching(caller, watching)
  const watchers = await Promise.all(Array.from({ length: viewers }, () => view(product, caller.cookie)))
  const idle = startIdle()
  await sleep(warmUpMs)
  await loopDelay(product)
  await idle.worst()
  const times: Record<string, number[]> = { '/api/v1/server': [], '/api/v1/service/list': [] }
  const memory: Point[] = []
  const descriptors: Point[] = []
  const started = performance.now()
  const before = product.usage()
  let lookedAt = Number.NEGATIVE_INFINITY
  let delayAt = 0
  const late = { p99: 0, max: 0, at: '', idle: 0, idleThen: 0 }
  const lookAtLoop = async () => {
    const { p99, max } = await loopDelay(product)
    const idleThen = await idle.worst()
    late.p99 = Math.max(late.p99, p99)
    late.idle = Math.max(late.idle, idleThen)
    if (max > late.max) Object.assign(late, { max, idleThen, at: new Date().toISOString().slice(11, 16) })
  }
  for (;;) {
    const passed = performance.now() - started
    if (passed >= minutes * 60_000) break
    for (const [path, list] of Object.entries(times)) list.push(await timed(() => caller.send('GET', path)))
    if (passed - lookedAt >= every.memoryMs) {
      lookedAt = passed
      memory.push({ minute: passed / 60_000, value: product.usage().residentBytes / MiB })
      descriptors.push({ minute: passed / 60_000, value: descriptorsOf(product) })
    }
    if (passed - delayAt >= every.delayMs) {
      delayAt = passed
      await lookAtLoop()
    }
    await sleep(every.callMs)
  }
  const after = product.usage()
  await lookAtLoop()
  idle.close()
  caller.close()
  for (const socket of watchers) socket.close()
  const locked = product.logged('database is locked').length
  const troubles = product.logged('history cannot').length
  const share = (100 * (after.cpuSeconds - before.cpuSeconds)) / (minutes * 60)
  return [
    ...Object.entries(times).map(([path, list]) =>
      atMost({ what: `GET ${path}: p95`, limit: 200, figure: spread(list).p95, unit: 'ms' }),
    ),
    atMost({ what: 'event loop late: p99 of the worst minute', limit: 50, figure: late.p99, unit: 'ms' }),
    atMost({ what: `event loop late: worst (before ${late.at} UTC)`, limit: 50, figure: late.max, unit: 'ms' }),
    {
      what: 'a Node process that only waits: worst; in that minute',
      budget: 'none',
      measured: `${late.idle.toFixed(1)}; ${late.idleThen.toFixed(1)} ms`,
      met: true,
    },
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
      ? [
          atMost({
            what: 'memory: growth',
            limit: minutes >= 30 ? 0.5 : 3,
            figure: slope(memory),
            unit: 'MiB/min',
            digits: 2,
          }),
          atMost({ what: 'descriptors: growth', limit: 0.5, figure: slope(descriptors), unit: 'a minute', digits: 2 }),
        ]
      : []),
    atMost({ what: 'memory: at the end', limit: 200, figure: after.residentBytes / MiB, unit: 'MiB', digits: 0 }),
    atMost({ what: 'CPU of a core', limit: 6, figure: share, unit: '%' }),
  ]
}

interface Point {
  minute: number
  value: number
}

/** How much more a minute, over the second half, when what is kept has its size, by least squares. */
function slope(all: readonly Point[]): number {
  const points = all.slice(Math.floor(all.length / 2))
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
  const [x, y] = [mean(points.map(({ minute }) => minute)), mean(points.map(({ value }) => value))]
  const spreadX = points.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  const together = points.reduce((sum, { minute, value }) => sum + (minute - x) * (value - y), 0)
  return spreadX === 0 ? 0 : together / spreadX
}

const product = await startProduct()
try {
  const { servers, services, reporters, rules } = watching
  process.stdout.write(
    `${minutes} minutes: ${servers} agents each 3 s, ${services} services each 30 s by ${reporters} servers, ${rules} rules, ${viewers} viewers\n\n`,
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
