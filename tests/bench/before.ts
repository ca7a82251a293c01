import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, createCaller } from './caller.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'
import { renamedServer } from './server.ts'
import { view } from './watching.ts'

const agents = 1000
const ids = Array.from({ length: agents }, (_, index) => index + 1)

interface Call {
  times: number
  /** For what goes on after the answer. */
  pauseMs?: number
  send(caller: Caller, product: Product): Promise<unknown>
}

const calls: Readonly<Record<string, Call>> = {
  'GET /server': { times: 200, send: (caller) => caller.send('GET', '/api/v1/server') },
  'small signed-in call': { times: 400, send: (caller) => caller.send('GET', '/api/v1/profile') },
  'a page of the audit log': { times: 200, send: (caller) => caller.send('GET', '/api/v1/audit?limit=50') },
  'a chart of a server': {
    times: 200,
    send: (caller) => caller.send('GET', '/api/v1/server/1/metrics?metric=cpu&period=1d'),
  },
  // Checking a password takes most of it.
  'sign-in': { times: 20, send: (_caller, product) => product.signIn() },
  'first frame of the live feed': {
    times: 40,
    send: ({ cookie }, product) => view(product, cookie).then((socket) => socket.terminate()),
  },
  PATCH: { times: 200, send: (caller) => caller.send('PATCH', '/api/v1/server/1', renamedServer) },
  'force update of 1,000 agents': {
    times: 21,
    pauseMs: 1000,
    send: (caller) => caller.send('POST', '/api/v1/force-update/server', ids),
  },
  'configuration of 1,000 agents': {
    times: 21,
    pauseMs: 1000,
    send: (caller) => caller.send('POST', '/api/v1/server/config', { servers: ids, config: '{"gpu":false}' }),
  },
}

/**
 * Check 22 of the design: what this build costs beside an earlier one, whose built checkout is the folder `QD_BEFORE`.
 * Both servers run at once and are called in turns, so that a slow machine slows both.
 */
export async function beforeRows(): Promise<Row[]> {
  const { QD_BEFORE } = process.env
  const home = resolve(QD_BEFORE ?? '')
  if (QD_BEFORE === undefined || !existsSync(join(home, 'apps/server/dist/main.js'))) {
    process.stderr.write('no figures of "before": QD_BEFORE must be the folder of an earlier checkout with its build\n')
    return []
  }
  const pair = [await start(home), await start()] as const
  try {
    await sleep(20_000)
    const cpu = await costOf(pair, 60_000)
    const [before, now] = pair.map(({ product }) => product.usage().residentBytes) as [number, number]
    const rows = [
      against('start to ready', await startsOf([home, undefined])),
      against('CPU with 1,000 agents', cpu),
      against('memory with 1,000 agents', [before, now]),
    ]
    for (const [what, call] of Object.entries(calls)) rows.push(against(`${what}: p50`, await p50Of(pair, call)))
    return rows
  } finally {
    for (const { caller, product } of pair) {
      caller.close()
      await product.close()
    }
  }
}

interface Side {
  product: Product
  caller: Caller
}

/** Of the build before, and of this one. */
type Pair = readonly [Side, Side]
type Figures = readonly [number, number]

async function start(home?: string): Promise<Side> {
  const product = await startProduct(undefined, {}, [], home)
  await product.agents(agents, 3000)
  return { product, caller: await createCaller(product) }
}

const against = (what: string, [before, now]: Figures): Row =>
  atMost({
    what: `scale 22: ${what}, against the build before`,
    limit: 1.03,
    figure: now / before,
    unit: 'x',
    digits: 2,
  })

/** The median of five starts each. */
async function startsOf(homes: readonly [string, string | undefined]): Promise<Figures> {
  const taken = homes.map((): number[] => [])
  for (let index = 0; index < 5; index++) {
    for (const [at, home] of homes.entries()) {
      const product = await startProduct(undefined, {}, [], home)
      taken[at]!.push(product.startedInMs)
      await product.close()
    }
  }
  return [spread(taken[0]!).p50, spread(taken[1]!).p50]
}

async function costOf(pair: Pair, ms: number): Promise<Figures> {
  const used = () => pair.map(({ product }) => product.usage().cpuSeconds)
  const before = used()
  await sleep(ms)
  return used().map((seconds, index) => seconds - before[index]!) as unknown as Figures
}

async function p50Of([before, now]: Pair, { times, pauseMs = 0, send }: Call): Promise<Figures> {
  const taken = new Map<Side, number[]>([before, now].map((side) => [side, []]))
  for (let index = 0; index < times; index++) {
    for (const side of index % 2 === 0 ? [before, now] : [now, before]) {
      taken.get(side)!.push(await timed(() => send(side.caller, side.product)))
      await sleep(pauseMs)
    }
  }
  return [spread(taken.get(before)!).p50, spread(taken.get(now)!).p50]
}
