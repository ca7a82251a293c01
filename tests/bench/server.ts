import { type Caller, createCaller } from './caller.ts'
import { type Product, startProduct } from './product.ts'
import { atMost, type Row, samples, spread, timed } from './row.ts'
import { view } from './watching.ts'

const MiB = 1024 * 1024
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the figures of a change save. */
export const renamedServer = {
  name: 'renamed',
  display_index: 0,
  note: '',
  public_note: '',
  hide_for_guest: false,
  enable_ddns: false,
  ddns_profiles: [],
  override_ddns_domains: {},
}

/** Figures of the server process. `count` agents report each 3 s. */
export async function serverRows(count: number): Promise<Row[]> {
  const product = await startProduct()
  try {
    await wait(3000)
    const rest = product.usage().residentBytes / MiB
    const first = [
      atMost({ what: 'server: start to ready', limit: 600, figure: product.startedInMs, unit: 'ms', digits: 0 }),
      atMost({ what: 'server: memory at rest', limit: 100, figure: rest, unit: 'MiB', digits: 0 }),
    ]
    await product.agents(count, 3000)
    return [...first, ...(await underLoad(product, count))]
  } finally {
    await product.close()
  }
}

async function underLoad(product: Product, count: number): Promise<Row[]> {
  const caller = await createCaller(product)
  await wait(30_000)
  const before = product.usage()
  await wait(30_000)
  const after = product.usage()
  const share = ((after.cpuSeconds - before.cpuSeconds) / 30) * 100

  const feed = await measureFeed(product, caller.cookie)
  const list = spread(await samples(200, () => caller.send('GET', '/api/v1/server')))
  const bytes = await caller.send('GET', '/api/v1/server')
  const small = spread(await samples(400, () => caller.send('GET', '/api/v1/profile')))
  const patch = spread(await samples(200, () => caller.send('PATCH', '/api/v1/server/1', renamedServer)))
  const fanOuts = await fanOutRows(product, caller, count)
  caller.close()
  return [
    atMost({ what: `${count} agents, a sample each 3 s: CPU of a core`, limit: 6, figure: share, unit: '%' }),
    atMost({ what: `${count} agents: memory`, limit: 200, figure: after.residentBytes / MiB, unit: 'MiB', digits: 0 }),
    atMost({
      what: `live feed for our console, ${count} servers: bytes per 2 s`,
      limit: 76,
      figure: feed.bytesPer2s / 1000,
      unit: 'KB',
    }),
    atMost({ what: `GET /server with ${count}: p50`, limit: 4.7, figure: list.p50, unit: 'ms' }),
    atMost({ what: `GET /server with ${count}: p95 under ${count} agents`, limit: 19, figure: list.p95, unit: 'ms' }),
    atMost({
      what: `GET /server with ${count}: bytes on the wire`,
      limit: 190,
      figure: bytes / 1000,
      unit: 'KB',
      digits: 0,
    }),
    atMost({ what: 'small signed-in call: p50', limit: 0.7, figure: small.p50, unit: 'ms', digits: 2 }),
    atMost({ what: 'PATCH: p50', limit: 1.1, figure: patch.p50, unit: 'ms', digits: 2 }),
    ...fanOuts,
  ]
}

/** Sends to all servers at once, and reads the list over another connection for two seconds from then on. */
async function fanOutRows(product: Product, caller: Caller, count: number): Promise<Row[]> {
  const reader = await createCaller(product)
  const ids = Array.from({ length: count }, (_, index) => index + 1)
  const fanOuts = {
    'force update': () => caller.send('POST', '/api/v1/force-update/server', ids),
    'configuration push': () => caller.send('POST', '/api/v1/server/config', { servers: ids, config: '{"gpu":false}' }),
  }
  const rows: Row[] = []
  for (const [what, send] of Object.entries(fanOuts)) {
    const until = performance.now() + 2000
    const dispatch = timed(send)
    const reads: number[] = []
    while (performance.now() < until) reads.push(await timed(() => reader.send('GET', '/api/v1/server')))
    const name = `${what} to ${count} agents`
    rows.push(
      atMost({ what: `${name}: dispatched`, limit: 2000, figure: await dispatch, unit: 'ms', digits: 0 }),
      atMost({ what: `${name}: GET /server meanwhile, p95`, limit: 19, figure: spread(reads).p95, unit: 'ms' }),
    )
  }
  reader.close()
  return rows
}

/** Bytes that our console's feed takes per 2 s, over 20 s and without its first full frame. */
async function measureFeed(product: Product, cookie: string): Promise<{ bytesPer2s: number }> {
  const socket = await view(product, cookie)
  let bytes = 0
  socket.on('message', (data: Buffer) => (bytes += data.length))
  await wait(20_000)
  socket.close()
  return { bytesPer2s: bytes / 10 }
}
