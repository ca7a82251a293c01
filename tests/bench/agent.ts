import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { root, secret, startProduct, usageOf } from './product.ts'
import { atMost, type Row } from './row.ts'

const warmUpMs = 20_000
const measureMs = 60_000

/** Figures of the built agent that reports each second to the built server. */
export async function agentRows(): Promise<Row[]> {
  const product = await startProduct()
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-agent-'))
  const agent = startRealAgent({
    program: join(root, 'apps/agent/dist/main.js'),
    port: product.port,
    secret,
    uuid: '00000000-0000-4000-8000-00000000a9e7',
    folder,
  })
  try {
    await sleep(warmUpMs)
    const before = usageOf(agent.process.pid!)
    await sleep(measureMs)
    const after = usageOf(agent.process.pid!)
    const share = (100_000 * (after.cpuSeconds - before.cpuSeconds)) / measureMs
    return [
      atMost({ what: 'agent reporting each second: CPU of a core', limit: 0.3, figure: share, unit: '%', digits: 2 }),
      atMost({ what: 'agent: memory', limit: 64, figure: after.residentBytes / 2 ** 20, unit: 'MiB', digits: 0 }),
    ]
  } finally {
    await agent.stop()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
