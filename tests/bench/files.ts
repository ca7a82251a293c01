import { spawn } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileSession, type FileSession } from '@qd/core/files'
import { WebSocket } from 'ws'
import { folderRows } from './folder.ts'
import { ended, type Product, root, secret, startProduct } from './product.ts'
import { besidePipe, opened, rate } from './relay.ts'
import { atLeast, atMost, type Row, timed } from './row.ts'

const MB = 1e6
const MiB = 1024 * 1024
const GiB = 1024 * MiB
const piped = 512 * MiB
const downloaded = 2 * GiB
const uploaded = GiB

/** Figures of files: the relay alone between two processes that do nothing else, and transfers with our agent. */
export async function fileRows(): Promise<Row[]> {
  return [...(await pipeRows()), ...(await transferRows())]
}

/** CPU seconds of five turns, as seconds per GiB. */
const perGiB = (seconds: number) => ((seconds / (5 * piped)) * GiB).toFixed(2)

function pipeRows(): Promise<Row[]> {
  return besidePipe(
    piped,
    async ({ product, web, inTurns }) => {
      const open = await createOpen(product)
      const measured = async (ws: WebSocket) => {
        const figure = await rate(ws, piped)
        ws.close()
        return figure
      }
      const { relay, least, cpu } = await inTurns(
        async () => measured(await open()),
        async () => {
          const ws = new WebSocket(`ws://127.0.0.1:${web}`)
          await opened(ws)
          return measured(ws)
        },
      )
      return [
        atLeast({
          what: `files: relay of pieces of 1 MiB against a bare websocket-to-gRPC pipe (${relay.toFixed(0)} of ${least.toFixed(0)} MB/s)`,
          limit: 60,
          figure: (relay / least) * 100,
          unit: '%',
          digits: 0,
        }),
        atMost({
          what: `the same: CPU of the server against the pipe’s (${perGiB(cpu.relay)} of ${perGiB(cpu.least)} s per GiB)`,
          limit: 100,
          figure: (cpu.relay / cpu.least) * 100,
          unit: '%',
          digits: 0,
        }),
      ]
    },
    MiB,
  )
}

async function transferRows(): Promise<Row[]> {
  const product = await startProduct()
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-files-'))
  const args = [
    '--server',
    `127.0.0.1:${product.port}`,
    '--secret',
    secret,
    '--uuid',
    '00000000-0000-4000-8000-000000000001',
  ]
  const agent = spawn(process.execPath, [join(root, 'apps/agent/dist/main.js'), ...args], {
    cwd: folder,
    stdio: 'ignore',
  })
  try {
    const files = await createFiles(product)
    // Without content on the disk, and read once, so that neither the disk nor what the system does for a first read is what is measured.
    const path = join(folder, 'large')
    writeFileSync(path, '')
    truncateSync(path, downloaded)
    for await (const _ of createReadStream(path, { highWaterMark: MiB }));
    const sink = { write: () => undefined }
    const zeros = Buffer.alloc(MiB, 7)
    const send = (size: number) =>
      files.upload('/dev/null', { size, read: async (_: number, length: number) => zeros.subarray(0, length) })
    await files.download(path, sink, { offset: downloaded - 256 * MiB })
    await send(256 * MiB)
    const down = await measured(product, downloaded, () => files.download(path, sink))
    const up = await measured(product, uploaded, () => send(uploaded))
    files.close()
    return [
      ...(await folderRows(product)),
      atLeast({ what: 'download of 2 GiB with our agent', limit: 840, figure: down.rate, unit: 'MB/s', digits: 0 }),
      atMost({ what: 'the same: CPU of the server per GiB', limit: 0.9, figure: down.cpu, unit: 's', digits: 2 }),
      atMost({
        what: 'the same: growth of the server’s memory',
        limit: 32,
        figure: down.grown,
        unit: 'MiB',
        digits: 0,
      }),
      atLeast({
        what: 'upload of 1 GiB with our agent, with its checksum',
        limit: 530,
        figure: up.rate,
        unit: 'MB/s',
        digits: 0,
      }),
      atMost({ what: 'the same: CPU of the server per GiB', limit: 1.3, figure: up.cpu, unit: 's', digits: 2 }),
      atMost({ what: 'the same: growth of the server’s memory', limit: 32, figure: up.grown, unit: 'MiB', digits: 0 }),
    ]
  } finally {
    await ended(agent)
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** MB/s, CPU seconds of the server per GiB, and how much its memory grew at most, in MiB. */
async function measured(product: Product, bytes: number, work: () => Promise<unknown>) {
  const before = product.usage()
  let most = before.residentBytes
  const timer = setInterval(() => {
    most = Math.max(most, product.usage().residentBytes)
  }, 50)
  const ms = await timed(work).finally(() => clearInterval(timer))
  const { cpuSeconds } = product.usage()
  return {
    rate: bytes / MB / (ms / 1000),
    cpu: (cpuSeconds - before.cpuSeconds) / (bytes / GiB),
    grown: (most - before.residentBytes) / MiB,
  }
}

/** Opens the first server's files as a bare websocket. */
async function createOpen(product: Product): Promise<() => Promise<WebSocket>> {
  const { cookie, csrf } = await product.signIn()
  const headers = { cookie, 'x-csrf-token': csrf, origin: product.origin }
  return async () => {
    const answer = await fetch(`${product.origin}/api/v1/file?id=1`, { method: 'POST', headers })
    const { data } = (await answer.json()) as { data: { session_id: string } }
    const ws = new WebSocket(`ws://127.0.0.1:${product.port}/api/v1/ws/file/${data.session_id}`, { headers })
    await opened(ws)
    return ws
  }
}

/** Core's session over it, once the agent is there. */
export async function createFiles(product: Product): Promise<FileSession> {
  const { cookie, csrf } = await product.signIn()
  const headers = { cookie, 'x-csrf-token': csrf, origin: product.origin, 'content-type': 'application/json' }
  const files = createFileSession({
    server: 1,
    baseUrl: product.origin,
    headers: () => headers,
    api: {
      async send({ method, path, query = {} }) {
        for (;;) {
          const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
          const answer = await fetch(`${product.origin}/api/v1/${path}?${search}`, { method, headers })
          const { data } = (await answer.json()) as { data?: unknown }
          if (data) return data
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      },
    },
    ports: {
      setTimer(run, ms) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      openSocket({ url, protocols }, handlers) {
        const ws = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false })
        ws.on('open', () => handlers.open(ws.protocol))
        ws.on('message', (data: Buffer) => handlers.message(data))
        ws.on('close', (code, reason) => handlers.close(code, String(reason)))
        ws.on('error', () => undefined)
        return {
          send: (data) => ws.send(data),
          close: () => ws.close(),
          buffered: () => ws.bufferedAmount,
          flow: (isOn) => (isOn ? ws.resume() : ws.pause()),
        }
      },
    },
  })
  return files
}
