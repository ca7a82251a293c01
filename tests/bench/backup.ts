import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Driver from 'better-sqlite3'
import { createCaller } from './caller.ts'
import { root, startProduct } from './product.ts'
import { atMost, type Row, spread, timed } from './row.ts'
import { loopDelay } from './watching.ts'

const GiB = 1024 ** 3
/** Between two writes. */
const everyMs = 20

/** What a backup of a large database costs the server that is written to meanwhile. */
export async function backupRows(bytes = GiB): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-backup-'))
  const data = join(folder, 'data')
  try {
    await (await startProduct(data)).close()
    fill(join(data, 'quarterdeck.db'), bytes)
    const product = await startProduct(data)
    try {
      const caller = await createCaller(product)
      await caller.call('POST', '/api/v1/server-group', { name: 'group', servers: [] })
      await loopDelay(product)
      const main = join(root, 'apps/server/dist/main.js')
      const child = spawn(process.execPath, [main, 'backup', join(folder, 'kept'), '--data', data], {
        stdio: 'inherit',
      })
      let isOver = false
      const ended = once(child, 'exit').then(([code]) => {
        isOver = true
        if (code !== 0) throw new Error(`the backup ended with ${code}`)
      })
      const times: number[] = []
      const took = await timed(async () => {
        for (let turn = 0; !isOver; turn += 1) {
          times.push(
            await timed(() => caller.call('PATCH', '/api/v1/server-group/1', { name: `group ${turn}`, servers: [] })),
          )
          await sleep(everyMs)
        }
        await ended
      })
      const { max } = await loopDelay(product)
      caller.close()
      const what = `backup of ${(bytes / GiB).toFixed(1)} GiB beside ${times.length} writes`
      return [
        atMost({ what: `${what}: event loop late, worst`, limit: 50, figure: max, unit: 'ms' }),
        atMost({ what: `${what}: a write, p95`, limit: 50, figure: spread(times).p95, unit: 'ms' }),
        atMost({ what: `${what}: all of it`, limit: 120, figure: took / 1000, unit: 's' }),
      ]
    } finally {
      await product.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds old entries to the audit record until the file has so many bytes. */
function fill(file: string, bytes: number): void {
  const database = new Driver(file)
  const insert = database.prepare(
    "insert into audit (at, user_id, username, action, target, result, address) values (?, 1, 'admin', 'edit', ?, 'ok', '127.0.0.1')",
  )
  const target = 'x'.repeat(1000)
  while (statSync(file).size < bytes) {
    database.transaction(() => {
      for (let row = 0; row < 20_000; row += 1) insert.run(Date.now(), target)
    })()
    database.pragma('wal_checkpoint(TRUNCATE)')
  }
  database.close()
}
