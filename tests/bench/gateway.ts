import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, get, Agent as HttpAgent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ended, environment, flags, lineOf, root, startProduct } from './product.ts'
import { atLeast, atMost, type Row, samples, spread } from './row.ts'

const servers = 1000
const calls = 1200
/** The programs get faster for so long. */
const warmUp = 400
const bytes = 256 * 1024 * 1024

/** What the gateway costs: a list call and a download through it, each in turns with the same one straight to where it leads. */
export async function gatewayRows(): Promise<Row[]> {
  return [...(await listRows()), await downloadRow()]
}

/** As long as the list is, which is how existing dashboards send it, and packed as ours does for a browser. */
async function listRows(): Promise<Row[]> {
  const product = await startProduct()
  const gateway = startGateway(product.origin)
  try {
    const origin = await readyLine(gateway)
    await product.agents(servers, 3600_000)
    const { cookie } = await product.signIn()
    return [
      await listRow([product.origin, origin], cookie, 'identity'),
      await listRow([product.origin, origin], cookie, 'br'),
    ]
  } finally {
    await ended(gateway)
    await product.close()
  }
}

async function listRow([straight, gated]: [string, string], cookie: string, encoding: string): Promise<Row> {
  const direct = caller(straight, cookie, encoding)
  const through = caller(gated, cookie, encoding)
  const times = { direct: [] as number[], through: [] as number[] }
  await samples(warmUp, direct)
  await samples(warmUp, through)
  for (let turn = 0; turn < calls / 20; turn += 1) {
    times.direct.push(...(await samples(20, direct)))
    times.through.push(...(await samples(20, through)))
  }
  const [least, gate] = [spread(times.direct), spread(times.through)]
  return atMost({
    what: `GET /server with ${servers} (${encoding}) through the gateway: added at p95 (${gate.p95.toFixed(1)} against ${least.p95.toFixed(1)} ms; p50 ${gate.p50.toFixed(1)} against ${least.p50.toFixed(1)} ms)`,
    limit: 2,
    figure: gate.p95 - least.p95,
    unit: 'ms',
  })
}

async function downloadRow(): Promise<Row> {
  const source = spawn(process.execPath, ['--import', 'tsx', join(root, 'tests/bench/gateway.ts'), 'source'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const upstream = `http://127.0.0.1:${await lineOf(source, /^port (\d+)$/m)}`
  const gateway = startGateway(upstream)
  try {
    const origin = await readyLine(gateway)
    const rates = { direct: [] as number[], through: [] as number[] }
    for (let turn = 0; turn < 16; turn += 1) {
      rates.direct.push(await rateOf(upstream))
      rates.through.push(await rateOf(origin))
    }
    // The first turn of each is a warm-up.
    const [least, gate] = [spread(rates.direct.slice(1)).p50, spread(rates.through.slice(1)).p50]
    return atLeast({
      what: `download of 256 MiB through the gateway against the same without it (${gate.toFixed(0)} of ${least.toFixed(0)} MB/s)`,
      limit: 80,
      figure: (gate / least) * 100,
      unit: '%',
      digits: 0,
    })
  } finally {
    await ended(gateway)
    await ended(source)
  }
}

/** The built server in front of another. */
const startGateway = (upstream: string): ChildProcess =>
  spawn(process.execPath, [...flags, join(root, 'apps/server/dist/main.js'), '--port', '0', '--upstream', upstream], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: environment,
  })

const readyLine = (gateway: ChildProcess) => lineOf(gateway, /^Quarterdeck is ready: (\S+)\/dashboard$/m)

/** Makes one list call over a connection that stays. */
function caller(origin: string, cookie: string, encoding: string): () => Promise<void> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 })
  return () =>
    read(`${origin}/api/v1/server`, { agent, headers: { cookie, 'accept-encoding': encoding } }).then(() => undefined)
}

async function rateOf(origin: string): Promise<number> {
  const begun = performance.now()
  const got = await read(`${origin}/mcp/download/token`, { agent: new HttpAgent() })
  if (got !== bytes) throw new Error(`${got} of ${bytes} bytes`)
  return bytes / 1e6 / ((performance.now() - begun) / 1000)
}

/** Reads an answer to its end; returns its bytes. */
function read(url: string, options: { agent: HttpAgent; headers?: Record<string, string> }): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, options, (answer) => {
      let got = 0
      answer.on('data', (part: Buffer) => {
        got += part.length
      })
      answer.on('end', () => resolve(got)).on('error', reject)
    }).on('error', reject)
  })
}

/** A server that sends so many bytes to whoever asks. */
function serveBytes(): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': bytes })
    let left = bytes / chunk.length
    const more = () => {
      while (left > 0) {
        left -= 1
        if (!response.write(chunk)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
}

if (process.argv[2] === 'source') serveBytes()
