import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCollectHandler } from '@qd/agent/collect'
import { createMachine } from '@qd/agent/host'
import { Task } from '@qd/protocol/agent'
import { collectors } from '@qd/protocol/collectors'
import { extensionTask } from '@qd/protocol/task-types'
import { startRealAgent } from '../support/peers/real-agent.ts'
import { root, secret, startProduct, usageOf } from './product.ts'
import { atMost, type Row } from './row.ts'

const warmUpMs = 20_000
const measureMs = 60_000
/** Readings of each kind: the clock of processes that have ended counts in hundredths of a second. */
const readings = 20

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
      ...(await readingRows()),
      atMost({ what: 'agent reporting each second: CPU of a core', limit: 0.3, figure: share, unit: '%', digits: 2 }),
      atMost({ what: 'agent: memory', limit: 64, figure: after.residentBytes / 2 ** 20, unit: 'MiB', digits: 0 }),
    ]
  } finally {
    await agent.stop()
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a reading of each kind costs on this machine’s own programs, with the processes that it starts. The first one isn’t counted. */
async function readingRows(): Promise<Row[]> {
  const handler = createCollectHandler(createMachine(), new AbortController().signal)
  const read = (collector: string) =>
    new Promise<unknown>((reply) => {
      const task = Task.create({ type: extensionTask.collect, data: JSON.stringify({ collector }) })
      void handler(task, {
        reply,
        progress: undefined,
        openStream: () => {
          throw new Error('no stream')
        },
      })
    })
  const spent = () => usageOf(process.pid).cpuSeconds + usageOf(process.pid).childSeconds
  const rows: Row[] = []
  for (const name of Object.keys(collectors)) {
    const start = spent()
    await read(name)
    const before = spent()
    for (let n = 0; n < readings; n += 1) await read(name)
    const figure = ((spent() - before) * 1000) / readings
    const first = Math.round((before - start) * 1000)
    rows.push(atMost({ what: `one reading of ${name}: CPU (the first: ${first} ms)`, limit: 150, figure, unit: 'ms' }))
  }
  return rows
}
