import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { State, type Task, type TaskResult } from '@qd/protocol/agent'
import { type CollectorName, collectUnchanged } from '@qd/protocol/collectors'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import { type SimulatedAgent, startAgent } from '@qd/server/demo/agent'
import { failingPort } from './watching.ts'

/** Who reports where: `count` agents, each with a connection of its own and a sample every `intervalMs`. */
export interface SimulationOptions {
  port: number
  secret: string
  count: number
  intervalMs: number
  /** First of the numbered uuids, default 1: `00000000-0000-4000-8000-000000000001`. */
  first?: number
  /** How many connect at the same time; default 50, so that no queue of the system overflows. */
  atOnce?: number
  /** Address of 127.0.0.0/8 that they connect from. */
  from?: string
}

/** Agents at work. */
export interface Simulation {
  readonly uuids: readonly string[]
  /** How often one of them was sent away, and came again. */
  readonly sentAway: number
  close(): void
}

/** Starts the agents and resolves when each has been answered its first sample. They answer commands at once. */
export async function simulateAgents(options: SimulationOptions): Promise<Simulation> {
  const { count, first = 1, atOnce = 50 } = options
  const uuids = Array.from({ length: count }, (_, index) => uuidOf(first + index))
  const agents: SimulatedAgent[] = []
  let sentAway = 0
  /** As an agent, it tries again. */
  async function arrive(uuid: string, index: number): Promise<SimulatedAgent> {
    for (;;) {
      try {
        return await start(options, uuid, index)
      } catch (error) {
        if (sentAway === 0) process.stderr.write(`sent away, trying again: ${error}\n`)
        sentAway += 1
        await sleep(retryMs)
      }
    }
  }
  for (let from = 0; from < count; from += atOnce) {
    const batch = uuids.slice(from, from + atOnce)
    agents.push(...(await Promise.all(batch.map((uuid, index) => arrive(uuid, from + index)))))
  }
  return {
    uuids,
    sentAway,
    close() {
      for (const agent of agents) agent.close()
    },
  }
}

const retryMs = 1000

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function start(options: SimulationOptions, uuid: string, index: number): Promise<SimulatedAgent> {
  const { intervalMs, count } = options
  const next = createSampler(index)
  return startAgent({
    ...options,
    host: '127.0.0.1',
    uuid,
    machine,
    address: addressOf(index),
    abilities: ['units' satisfies CollectorName],
    sample: () => next(intervalMs / 1000),
    // Spread over the interval, as agents that were started at different times are.
    offsetMs: (index / count) * intervalMs + intervalMs,
    answer: answerOf,
  })
}

/** Units are those of an agent of ours. Commands succeed, probes too unless they are of the port that nothing listens on. */
function answerOf({ type, data }: Task): Pick<TaskResult, 'data' | 'delay' | 'successful'> {
  if (type === extensionTask.collect) {
    const isKnown = (JSON.parse(data) as { known?: string }).known === unitsDigest
    return { data: isKnown ? collectUnchanged : units, delay: 0, successful: true }
  }
  if (type === taskType.command) return { data: 'simulated\n', delay: 0.01, successful: true }
  const isProbe = type === taskType.tcpProbe || type === taskType.icmpProbe || type === taskType.httpProbe
  if (!isProbe) return { data: '', delay: 0.01, successful: false }
  if (data.endsWith(`:${failingPort}`)) return { data: 'connection refused', delay: 0, successful: false }
  return { data: '', delay: 1 + ((data.length * 7) % 50), successful: true }
}

/** 200 units, of which the first two failed. */
const units = `#@ systemctl\n${Array.from(
  { length: 200 },
  (_, index) => `Id=unit-${index}.service
Description=Simulated unit ${index}
LoadState=loaded
ActiveState=${index < 2 ? 'failed' : 'active'}
SubState=${index < 2 ? 'failed' : 'running'}
UnitFileState=enabled
StateChangeTimestamp=Thu 2026-11-19 10:00:00 UTC
MemoryCurrent=${(index + 1) * 1_000_000}
NRestarts=0
`,
).join('\n')}`
const unitsDigest = createHash('sha256').update(units).digest('base64')

const machine = {
  platform: 'debian',
  platform_version: '12.11',
  cpu: ['Simulated Processor 4 Virtual Core'],
  mem_total: 8_000_000_000n,
  swap_total: 2_000_000_000n,
  disk_total: 100_000_000_000n,
  arch: 'x86_64',
  virtualization: 'kvm',
  boot_time: 1_700_000_000n,
  version: '2.3.3',
}

const addressOf = (index: number) => `198.18.${(index >> 8) & 255}.${index & 255}`

/** Figures that wander as those of a machine do, the same in every run. */
function createSampler(index: number): (seconds: number) => State {
  let seed = index * 7919 + 1
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % most
  }
  const base = { memory: 2e9 + random(4e9), disk: 2e10 + random(6e10), received: random(1e12), sent: random(1e12) }
  let uptime = 100_000 + random(1e6)
  return (seconds) => {
    const [received, sent] = [random(2e6), random(2e6)]
    base.received += received * seconds
    base.sent += sent * seconds
    uptime += Math.round(seconds)
    return State.fromPartial({
      cpu: random(10_000) / 100,
      mem_used: BigInt(base.memory + random(1e8)),
      swap_used: 1_048_576n,
      disk_used: BigInt(base.disk + random(1000) * 4096),
      net_in_transfer: BigInt(Math.round(base.received)),
      net_out_transfer: BigInt(Math.round(base.sent)),
      net_in_speed: BigInt(received),
      net_out_speed: BigInt(sent),
      uptime: BigInt(uptime),
      load1: random(400) / 100,
      load5: random(300) / 100,
      load15: random(200) / 100,
      tcp_conn_count: BigInt(100 + random(50)),
      udp_conn_count: 10n,
      process_count: BigInt(200 + random(20)),
    })
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { port: text, secret: text, count: text, interval: text, 'at-once': text, from: text },
  })
  const { port, secret = '', count = '1000', interval = '3000', from } = values
  const atOnce = Number(values['at-once'] ?? 50)
  const intervalMs = Number(interval)
  const where = { port: Number(port), secret, ...(from && { from }) }
  const { sentAway } = await simulateAgents({ ...where, count: Number(count), intervalMs, atOnce })
  process.stdout.write(`${sentAway} sent away\n${count} agents report\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
