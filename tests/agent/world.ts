import { type Agent, startAgent } from '@qd/agent/agent'
import { type AgentConfig, defaultConfig } from '@qd/agent/config'
import { createMachine } from '@qd/agent/host'
import type { Settings } from '@qd/agent/settings'
import { defaultTiming, type Timing } from '@qd/agent/timing'
import { TaskResult } from '@qd/protocol/agent'
import { agentNews } from '@qd/protocol/task-types'
import type { AgentEvent, RawServer, ServerCall } from '../support/peers/h2-server.ts'

/** Who the agent of these tests says it is. */
export const identity = { secret: 'e2e-agent-secret-32-bytes-long-ok', uuid: '3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f' }

/** Waiting times short enough for a test. */
export const quick: Timing = {
  ...defaultTiming,
  progressMs: 5,
  firstSizeMs: 20,
  goodbyeMs: 500,
  reconnect: { firstMs: 20, maxMs: 40 },
  refused: { firstMs: 20, maxMs: 40 },
}

/** The real agent on the real machine, in this process, with what it logs and the configurations it kept; `root`: below it are the files of another machine. */
export const startTestAgent = (
  server: Pick<RawServer, 'port'>,
  options: {
    timing?: Partial<Timing>
    config?: Partial<AgentConfig>
    save?: Settings['save']
    isWatchOnly?: boolean
    root?: string
  } = {},
): Agent & { log: string[]; settings: Settings } => {
  const log: string[] = []
  let current: AgentConfig = {
    ...defaultConfig,
    server: `127.0.0.1:${server.port}`,
    uuid: identity.uuid,
    client_secret: identity.secret,
    ...options.config,
  }
  const settings: Settings = {
    get current() {
      return current
    },
    code: undefined,
    enrolled: async () => undefined,
    isSecretGiven: false,
    updateKey: '',
    pin: async () => undefined,
    isWatchOnly: options.isWatchOnly ?? false,
    sendsHostname: false,
    async save(next) {
      await options.save?.(next)
      current = next
    },
  }
  const machine = createMachine(options.root)
  const agent = startAgent({
    settings,
    // Reports follow each other fast: their delay, and no other wait, is a whole number of seconds.
    machine: {
      ...machine,
      log: (line) => void log.push(line),
      sleep: (ms, signal) => machine.sleep(ms === current.report_delay * 1000 ? 20 : ms, signal),
    },
    version: '0.1.0',
    timing: { ...quick, ...options.timing },
  })
  return { ...agent, log, settings }
}

/** Whether this is what the agent says of its collectors at the beginning of each connection to our server. */
const isCollectors = (event: AgentEvent) =>
  event.event === 'message' &&
  event.method === 'RequestTask' &&
  TaskResult.decode(event.bytes).type === agentNews.collectors

/**
 * Takes an agent through its first calls, as an existing server does (or ours, with its `extension` header). Drops what the agent says of its
 * collectors.
 */
export const answerCalls = (extension: Record<string, string> = {}): ((event: AgentEvent) => boolean) => {
  const answered = new Set<ServerCall>()
  const unary: Record<string, string> = { ReportSystemInfo2: '0805', ReportGeoIP: '2005' }
  return (event) => {
    if (event.event === 'message' && unary[event.method]) {
      event.call.respond(extension)
      event.call.send(unary[event.method]!)
      event.call.end(0)
    } else if (event.event === 'message' && event.method === 'ReportSystemState') {
      if (!answered.has(event.call)) event.call.respond(extension)
      answered.add(event.call)
      event.call.send('0801')
    } else if (event.event === 'half-close' && event.method === 'ReportSystemState') event.call.end(2, 'EOF')
    else if (!isCollectors(event)) {
      const isStream = 'method' in event && event.method === 'IOStream'
      return !isStream && event.event !== 'open' && event.event !== 'message'
    }
    return true
  }
}

/** Waits for the agent's task call. */
export const takeTaskCall = async (server: RawServer): Promise<ServerCall> => {
  const open = await server.take(
    (event): event is AgentEvent & { event: 'open' } => event.event === 'open' && event.method === 'RequestTask',
  )
  return open.call
}
