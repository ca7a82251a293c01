import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { GeoIP, Host, State, Task, TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { askOnce, createDeframer, credentials, frame, openCall, openSession } from './call.ts'

/** A simulated agent: a real connection, made-up facts. */
export interface AgentOptions {
  host: string
  port: number
  secret: string
  uuid: string
  machine: Partial<Host>
  address: string
  /** The next sample. */
  sample(): State
  intervalMs: number
  /** When the second sample comes, so that agents don’t all report at the same moment. */
  offsetMs: number
  /** The result of a task; null for none. */
  answer(task: Task): Pick<TaskResult, 'data' | 'delay' | 'successful'> | null
  /** Takes a task that asks for a stream. `open` opens one. Returns whether it is such a task. */
  stream?(task: Task, open: () => ClientHttp2Stream): boolean
  /** Address of 127.0.0.0/8 to connect from. */
  from?: string
  /** Called when the connection ends otherwise than by `close`. */
  onLost?(): void
}

/** A connected agent. */
export interface SimulatedAgent {
  close(): void
}

/** Connects and resolves when the first sample was answered. Errors: rejects, without a connection, if the server refuses it. */
export async function startAgent(options: AgentOptions): Promise<SimulatedAgent> {
  const session = await openSession(options.host, options.port, options.from)
  return report(session, options).catch((error: unknown) => {
    session.destroy()
    throw error
  })
}

async function report(session: ClientHttp2Session, options: AgentOptions): Promise<SimulatedAgent> {
  const { secret, uuid, machine, address, sample, intervalMs, offsetMs } = options
  const headers = credentials(secret, uuid)
  const open = (method: Parameters<typeof openCall>[1]) => openCall(session, method, headers)
  await askOnce(open('ReportSystemInfo2'), Host.encode(Host.fromPartial(machine)).finish())
  const tasks = open('RequestTask')
  const states = open('ReportSystemState')
  const geo = GeoIP.fromPartial({ ip: { ipv4: address, ipv6: '' } })
  await askOnce(open('ReportGeoIP'), GeoIP.encode(geo).finish())
  tasks.on(
    'data',
    createDeframer((bytes) => {
      const task = Task.decode(bytes)
      if (task.type === taskType.keepalive || options.stream?.(task, () => open('IOStream'))) return
      const answer = options.answer(task)
      if (answer) tasks.write(frame(TaskResult.encode({ id: task.id, type: task.type, ...answer }).finish()))
    }),
  )
  const send = () => states.write(frame(State.encode(sample()).finish()))
  send()
  await new Promise((resolve, reject) => {
    states.once('data', resolve)
    session.once('close', () => reject(new Error('the server refused a simulated agent')))
  })
  states.resume()
  let repeating: NodeJS.Timeout | undefined
  const beginning = setTimeout(() => {
    send()
    repeating = setInterval(send, intervalMs)
  }, offsetMs)
  let isClosed = false
  const end = () => {
    clearTimeout(beginning)
    clearInterval(repeating)
  }
  session.once('close', () => {
    end()
    if (!isClosed) options.onLost?.()
  })
  // The server’s end comes before the close, which waits for both sides.
  for (const ending of ['end', 'close']) states.once(ending, () => session.destroy())
  return {
    close() {
      isClosed = true
      end()
      session.destroy()
    },
  }
}
