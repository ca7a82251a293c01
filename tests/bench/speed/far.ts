import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFiles } from '../files.ts'
import { ended, root, secret, startProduct } from '../product.ts'
import { atLeast, type Row, timed } from '../row.ts'

const bytes = 32 * 1024 * 1024
/** What a line of 50 ms there and back allows with the existing server's window of 1 MiB. In MB/s. */
const least = 20

/** Files of an agent that is far away: each way takes 25 ms. */
export async function farRows(): Promise<Row[]> {
  const product = await startProduct()
  const line = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: product.port, host: '127.0.0.1', noDelay: true })
    late(near, far)
    late(far, near)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => line.once('listening', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-far-'))
  const server = `127.0.0.1:${(line.address() as AddressInfo).port}`
  const uuid = '00000000-0000-4000-8000-000000000001'
  const agent = spawn(
    process.execPath,
    [join(root, 'apps/agent/dist/main.js'), '--server', server, '--secret', secret, '--uuid', uuid],
    { cwd: folder, stdio: 'ignore' },
  )
  try {
    const files = await createFiles(product)
    const path = join(folder, 'large')
    const piece = Buffer.alloc(1024 * 1024, 7)
    writeFileSync(path, Buffer.alloc(bytes, 7))
    const down = await timed(() => files.download(path, { write: () => undefined }))
    const up = await timed(() =>
      files.upload(join(folder, 'up'), { size: bytes, read: async (_, length) => piece.subarray(0, length) }),
    )
    files.close()
    const row = (what: string, ms: number) =>
      atLeast({ what: `${what} over a line of 50 ms`, limit: least, figure: bytes / 1e6 / (ms / 1000), unit: 'MB/s' })
    return [row('download', down), row('upload', up)]
  } finally {
    await ended(agent)
    line.close()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What one end sends, the other gets 25 ms later. */
function late(from: Socket, to: Socket): void {
  const later = (act: () => void) => setTimeout(act, 25)
  from.on('data', (part: Buffer) => void later(() => to.write(part)))
  from.on('close', () => void later(() => to.destroy()))
  from.on('error', () => undefined)
}
