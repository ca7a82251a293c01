import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { GeoIP, Host, State, Task, TaskResult } from '@qd/protocol/agent'
import { agentNews, taskType } from '@qd/protocol/task-types'
import { askOnce, createDeframer, credentials, frame, openCall, openSession } from './call.ts'

export interface AgentOptions {
  host: string
  port: number
  secret: string
  uuid: string
  machine: Partial<Host>
  address: string
  sample(): State
  intervalMs: number
  offsetMs: number
  /** Null: no result. */
  answer(task: Task): Pick<TaskResult, 'data' | 'delay' | 'successful'> | null
  stream?(task: Task, open: () => ClientHttp2Stream): boolean
  /** What it says that it can be asked for. */
  abilities?: readonly string[]
  /** In 127.0.0.0/8. */
  from?: string
  onLost?(): void
}

export interface SimulatedAgent {
  close(): void
}

export async function startAgent(options: AgentOptions): Promise<SimulatedAgent> {
  const session = await openSession(options.host, options.port, options.from)
  return report(session, options).catch((error: unknown) => {
    session.destroy()
    throw error
  })
}

async function report(session: ClientHttp2Session, options: AgentOptions): Promise<SimulatedAgent> {
  const { secret, uuid, machine, address, sample, intervalMs, offsetMs, abilities = ['logs'] } = options
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
  const news = TaskResult.create({ type: agentNews.collectors, data: JSON.stringify(abilities) })
  tasks.write(frame(TaskResult.encode(news).finish()))
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
  // `close` waits for both sides; `end` comes earlier.
  for (const ending of ['end', 'close']) states.once(ending, () => session.destroy())
  return {
    close() {
      isClosed = true
      end()
      session.destroy()
    },
  }
}
