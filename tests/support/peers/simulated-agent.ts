import { GeoIP, Host, IOStreamData, State, Task, TaskResult } from '@qd/protocol/agent'
import { toAttachFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import { type CallEvent, connectPeer, credentials, type Peer, type PeerCall } from './h2-peer.ts'

type Message = Extract<CallEvent, { event: 'message' }>

/** What an agent says of a command it was sent; `delay` in seconds. */
export interface CommandOutcome {
  data: string
  successful: boolean
  delay?: number
}

/** An agent whose machine is made up. */
export interface SimulatedAgent {
  readonly uuid: string
  /** Sends one sample; what is not given is 0. */
  report(sample?: Partial<State>): void
  /** The next task that is not a keepalive; waits for it. */
  nextTask(timeoutMs?: number): Promise<Task>
  answer(task: Task, outcome: CommandOutcome): void
  /** Opens the stream that a task asks for; what goes over it is up to the test. */
  attach(task: Task): PeerCall
  /** Cuts the connection as a killed agent does. */
  vanish(): void
  close(): Promise<void>
}

/** Who connects, and the machine it claims to be. */
export interface AgentOptions {
  port: number
  secret: string
  uuid: string
  host?: Partial<Host>
  address?: string
  /** What it measures first. */
  first?: Partial<State>
  /** Returns every command at once; without it the test answers by hand. */
  onCommand?(command: string): CommandOutcome
  /** The same for tasks of all other kinds; null: this one stays without an answer. */
  onTask?(task: Task): CommandOutcome | null
}

const machine: Partial<Host> = {
  platform: 'debian',
  platform_version: '12.11',
  cpu: ['Simulated Core'],
  mem_total: 8_000_000_000n,
  disk_total: 100_000_000_000n,
  arch: 'x86_64',
  version: '2.3.3',
  boot_time: 1_700_000_000n,
}

/** Connects, reports host, address and a first sample, and waits until the server took them. */
export async function startSimulatedAgent(options: AgentOptions): Promise<SimulatedAgent> {
  const { port, secret, uuid, host = {}, address = '203.0.113.7', first, onCommand, onTask } = options
  const peer = await connectPeer({ port })
  const headers = credentials(secret, uuid)
  await unary(peer, 'ReportSystemInfo2', headers, Host.encode(Host.fromPartial({ ...machine, ...host })).finish())
  const tasks = peer.open('RequestTask', headers)
  const states = peer.open('ReportSystemState', headers)
  const geo = GeoIP.fromPartial({ ip: { ipv4: address, ipv6: '' } })
  await unary(peer, 'ReportGeoIP', headers, GeoIP.encode(geo).finish())

  const report = (sample: Partial<State> = {}) =>
    states.send(
      State.encode(State.fromPartial({ cpu: 4, mem_used: 2_000_000_000n, uptime: 3210n, ...sample })).finish(),
    )
  const answer = (task: Task, { data, successful, delay = 0.1 }: CommandOutcome) =>
    tasks.send(TaskResult.encode({ id: task.id, type: task.type, data, successful, delay }).finish())
  const nextTask = async (timeoutMs = 20_000): Promise<Task> => {
    for (;;) {
      const { bytes } = await tasks.take((event): event is Message => event.event === 'message', timeoutMs)
      const task = Task.decode(bytes)
      if (task.type !== taskType.keepalive) return task
    }
  }
  const attach = (task: Task): PeerCall => {
    const call = peer.open('IOStream', headers)
    const { StreamID, stream_id = StreamID } = JSON.parse(task.data) as Record<string, string>
    call.send(IOStreamData.encode({ data: toAttachFrame(stream_id!) }).finish())
    return call
  }
  async function answerAll(): Promise<void> {
    for (;;) {
      const task = await nextTask(2 ** 30)
      const outcome = task.type === taskType.command ? onCommand?.(task.data) : onTask?.(task)
      if (outcome) answer(task, outcome)
    }
  }

  report(first)
  await states.take((event) => event.event === 'message')
  // Ends when the stream does, which is how the agent goes.
  if (onCommand || onTask) answerAll().catch(() => undefined)
  return { uuid, report, nextTask, answer, attach, vanish: () => peer.destroy(), close: () => end(peer) }
}

async function end(peer: Peer): Promise<void> {
  peer.destroy()
  await peer.take((event) => event.event === 'tcp-fin')
}

async function unary(peer: Peer, method: string, headers: Record<string, string>, message: Uint8Array): Promise<void> {
  const call = peer.open(method, headers)
  call.send(message)
  call.halfClose()
  await call.take((event) => event.event === 'message' || event.event === 'trailers')
}
