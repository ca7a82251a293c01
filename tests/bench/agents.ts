import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { GeoIP, Host, State, Task, TaskResult } from '@qd/protocol/agent'
import { type MethodName, methods } from '@qd/protocol/methods'
import { taskType } from '@qd/protocol/task-types'
import { createDeframer, credentials, frame } from '../support/peers/h2-peer.ts'
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
  close(): void
}

/** Starts the agents and resolves when each has been answered its first sample. They answer commands at once. */
export async function simulateAgents(options: SimulationOptions): Promise<Simulation> {
  const { count, first = 1, atOnce = 50 } = options
  const uuids = Array.from({ length: count }, (_, index) => uuidOf(first + index))
  const agents: Agent[] = []
  for (let from = 0; from < count; from += atOnce) {
    const batch = uuids.slice(from, from + atOnce)
    agents.push(...(await Promise.all(batch.map((uuid, index) => startAgent(options, uuid, from + index)))))
  }
  return {
    uuids,
    close() {
      for (const agent of agents) agent.close()
    },
  }
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

interface Agent {
  close(): void
}

async function startAgent(options: SimulationOptions, uuid: string, index: number): Promise<Agent> {
  const { port, secret, intervalMs, count } = options
  const session = connect(`http://127.0.0.1:${port}`, { localAddress: options.from } as object)
  await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject))
  session.on('error', () => undefined)
  const open = (method: MethodName) => openCall(session, method, credentials(secret, uuid))
  await unary(open('ReportSystemInfo2'), Host.encode(Host.fromPartial({ ...machine })).finish())
  const tasks = open('RequestTask')
  const states = open('ReportSystemState')
  await unary(
    open('ReportGeoIP'),
    GeoIP.encode(GeoIP.fromPartial({ ip: { ipv4: addressOf(index), ipv6: '' } })).finish(),
  )
  tasks.on(
    'data',
    createDeframer((bytes) => {
      const task = Task.decode(bytes)
      tasks.write(frame(TaskResult.encode({ id: task.id, type: task.type, ...answerOf(task) }).finish()))
    }),
  )
  const sample = createSampler(index)
  const report = () => states.write(frame(State.encode(sample(intervalMs / 1000)).finish()))
  report()
  await new Promise((resolve, reject) => {
    states.once('data', resolve)
    session.once('close', () => reject(new Error('a simulated agent was sent away')))
  })
  states.resume()
  // Spread over the interval, as agents that were started at different times are.
  let repeating: NodeJS.Timeout | undefined
  const beginning = setTimeout(
    () => {
      repeating = setInterval(report, intervalMs)
    },
    (index / count) * intervalMs,
  )
  return {
    close() {
      clearTimeout(beginning)
      clearInterval(repeating)
      session.destroy()
    },
  }
}

/** Commands succeed, probes too unless they are of the port that nothing listens on. */
function answerOf({ type, data }: Task): Pick<TaskResult, 'data' | 'delay' | 'successful'> {
  if (type === taskType.command) return { data: 'simulated\n', delay: 0.01, successful: true }
  const isProbe = type === taskType.tcpProbe || type === taskType.icmpProbe || type === taskType.httpProbe
  if (!isProbe) return { data: '', delay: 0.01, successful: false }
  if (data.endsWith(`:${failingPort}`)) return { data: 'connection refused', delay: 0, successful: false }
  return { data: '', delay: 1 + ((data.length * 7) % 50), successful: true }
}

function openCall(session: ClientHttp2Session, method: MethodName, headers: Record<string, string>): ClientHttp2Stream {
  const path = methods[method].path
  const stream = session.request(
    { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers },
    { endStream: false },
  )
  stream.on('error', () => undefined)
  return stream
}

function unary(call: ClientHttp2Stream, message: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    let answered = false
    call.on('data', () => {
      answered = true
    })
    call.on('close', () => (answered ? resolve() : reject(new Error('a call of a simulated agent was not answered'))))
    call.end(frame(message))
  })
}

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
  await simulateAgents({ port: Number(port), secret, count: Number(count), intervalMs, atOnce, ...(from && { from }) })
  process.stdout.write(`${count} agents report\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
