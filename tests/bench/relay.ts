import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import { WebSocket } from 'ws'
import { ended, lineOf, type Product, root, secret, startProduct, usageOf } from './product.ts'
import { atLeast, atMost, type Row, samples, spread, timed } from './row.ts'

const relayedBytes = 128 * 1024 * 1024
const printedBytes = 64 * 1024 * 1024
const MB = 1e6

/** Figures of shells: the relay alone between two processes that do nothing else, and a real shell of our agent. */
export async function relayRows(): Promise<Row[]> {
  return [...(await pipeRows()), ...(await shellRows())]
}

/** The relay of a shell, against the bare pipe. */
function pipeRows(): Promise<Row[]> {
  return besidePipe(relayedBytes, async ({ product, web, inTurns }) => {
    const caller = await createCaller(product)
    const openBare = async () => {
      const ws = new WebSocket(`ws://127.0.0.1:${web}`)
      await opened(ws)
      return ws
    }
    const { relay, least } = await inTurns(
      () => rateOf(() => caller.openShell(1)),
      () => rateOf(openBare),
    )
    return [
      atLeast({
        what: 'relay of a terminal’s output, chunks of 32 KiB',
        limit: 17,
        figure: relay,
        unit: 'MB/s',
        digits: 0,
      }),
      atLeast({
        what: `the same against a bare websocket-to-gRPC pipe (${least.toFixed(0)} MB/s)`,
        limit: 60,
        figure: (relay / least) * 100,
        unit: '%',
        digits: 0,
      }),
    ]
  })
}

/** A product with an agent, and beside it the bare pipe; each agent sends so many bytes to whoever opens it. */
interface BesidePipe {
  product: Product
  /** Ports of the pipe, for a websocket and for a socket. */
  web: number
  plain: number
  /**
   * Both take turns, so that a busy moment of the machine meets both. Answers the median rate of each in MB/s, and the CPU seconds of server
   * and pipe in these turns.
   */
  inTurns(
    ours: () => Promise<number>,
    bare: () => Promise<number>,
  ): Promise<{ relay: number; least: number; cpu: { relay: number; least: number } }>
}

/** Starts them for the time of `measure`; `chunk`: bytes of one message, 32 KiB where nothing is said. */
export async function besidePipe(
  bytes: number,
  measure: (beside: BesidePipe) => Promise<Row[]>,
  chunk = 32 * 1024,
): Promise<Row[]> {
  const product = await startProduct()
  const pipe = start('relay-pipe.ts', [])
  const [grpc, web, plain] = (await lineOf(pipe, /^ports (\d+ \d+ \d+)$/m)).split(' ').map(Number)
  const flood = (port: number, more: readonly string[]) =>
    start('relay-flood.ts', ['--port', String(port), '--bytes', String(bytes), '--chunk', String(chunk), ...more])
  const agents = [flood(product.port, ['--secret', secret]), flood(grpc!, [])]
  try {
    await Promise.all(agents.map((agent) => lineOf(agent, /^(ready) 1$/m)))
    return await measure({
      ...{ product, web: web!, plain: plain! },
      async inTurns(ours, bare) {
        const rates = { ours: [] as number[], bare: [] as number[] }
        const used = () => ({ relay: product.usage().cpuSeconds, least: usageOf(pipe.pid!).cpuSeconds })
        // The first turn of each is a warm-up.
        await ours()
        await bare()
        const before = used()
        for (let turn = 0; turn < 5; turn += 1) {
          rates.ours.push(await ours())
          rates.bare.push(await bare())
        }
        const after = used()
        return {
          relay: spread(rates.ours).p50,
          least: spread(rates.bare).p50,
          cpu: { relay: after.relay - before.relay, least: after.least - before.least },
        }
      },
    })
  } finally {
    for (const child of [...agents, pipe]) await ended(child)
    await product.close()
  }
}

async function rateOf(open: () => Promise<WebSocket>): Promise<number> {
  const ws = await open()
  const figure = await rate(ws, relayedBytes)
  ws.close()
  return figure
}

async function shellRows(): Promise<Row[]> {
  const product = await startProduct()
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-shell-'))
  const args = [join(root, 'apps/agent/dist/main.js'), '--server', `127.0.0.1:${product.port}`, '--secret', secret]
  const env = { ...process.env, HOME: folder, PS1: '$ ' }
  const agent = spawn(process.execPath, [...args, '--uuid', '00000000-0000-4000-8000-000000000001'], {
    cwd: folder,
    env,
    stdio: 'ignore',
  })
  try {
    const caller = await createCaller(product)
    await caller.whenOnline(1)
    const open = async () => {
      const ws = await caller.openShell(1)
      ws.send(toResizeFrame({ cols: 120, rows: 40 }))
      await message(ws)
      return ws
    }
    const opening = spread(await samples(15, async () => (await open()).close()))
    const ws = await open()
    ws.send(toInputFrame('cat > /dev/null\r'))
    await quiet(ws)
    const echo = spread(await echoes(ws, 300))
    ws.close()
    const printing = await open()
    await quiet(printing)
    const output = await rate(printing, printedBytes, `head -c ${printedBytes} /dev/zero | tr '\\0' x; exit\r`)
    printing.close()
    return [
      atLeast({ what: 'terminal output of a shell of our agent', limit: 17, figure: output, unit: 'MB/s' }),
      atMost({
        what: `key echo through a shell of our agent: p95 (p50 ${echo.p50.toFixed(2)} ms)`,
        limit: 1.2,
        figure: echo.p95,
        unit: 'ms',
        digits: 2,
      }),
      atMost({ what: 'open to first output: p50', limit: 150, figure: opening.p50, unit: 'ms', digits: 0 }),
    ]
  } finally {
    await ended(agent)
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds from a key to its echo, at a pace that a fast typist may have. */
async function echoes(ws: WebSocket, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    times.push(
      await timed(async () => {
        ws.send(toInputFrame('x'))
        await message(ws)
      }),
    )
  }
  return times
}

/** MB per second from the input that starts the output to the last of so many bytes. */
export function rate(ws: WebSocket, bytes: number, input = 'go'): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    let got = 0
    ws.once('close', () => reject(new Error(`the stream ended after ${got} of ${bytes} bytes`)))
    ws.on('message', (data: Buffer) => {
      got += data.length
      if (got >= bytes) resolve(got / MB / ((performance.now() - begun) / 1000))
    })
    ws.send(toInputFrame(input))
  })
}

const message = (ws: WebSocket) => new Promise((resolve) => ws.once('message', resolve))
/** Resolves when it is open. */
export const opened = (ws: WebSocket) =>
  new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
/** Waits until a shell has said what it had to say. */
const quiet = (ws: WebSocket) =>
  new Promise<void>((resolve) => {
    const settle = () => {
      ws.off('message', again)
      resolve()
    }
    let timer = setTimeout(settle, 300)
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(settle, 300)
    }
    ws.on('message', again)
  })

async function createCaller(product: Product) {
  const { cookie, csrf } = await product.signIn()
  const { origin, port } = product
  const headers = { cookie, 'x-csrf-token': csrf, 'content-type': 'application/json' }
  const ask = async (serverId: number) => {
    const body = JSON.stringify({ server_id: serverId })
    const answer = await fetch(`${origin}/api/v1/terminal`, { method: 'POST', headers, body })
    return ((await answer.json()) as { data?: { session_id: string } }).data?.session_id
  }
  const attach = async (id: string) => {
    const ws = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/terminal/${id}`, terminalProtocol, {
      headers: { cookie, origin },
    })
    await opened(ws)
    return ws
  }
  return {
    async openShell(serverId: number): Promise<WebSocket> {
      const id = await ask(serverId)
      if (!id) throw new Error('no shell could be opened')
      return attach(id)
    },
    async whenOnline(serverId: number): Promise<void> {
      for (let id = await ask(serverId); ; id = await ask(serverId)) {
        if (id) return (await attach(id)).close()
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

/** One of the processes of these figures, by its file. */
export const start = (file: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['--import', 'tsx', join(root, 'tests/bench', file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
