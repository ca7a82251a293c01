import { type State, TaskResult } from '@qd/protocol/agent'
import { collectors } from '@qd/protocol/collectors'
import { methods } from '@qd/protocol/methods'
import { agentNews, extensionVersion, logsAbility } from '@qd/protocol/task-types'
import { toUnmeasuredText } from '@qd/protocol/unmeasured'
import type { AgentConfig } from './config/agent-config.ts'
import type { Timing } from './config/timing.ts'
import type { Geo } from './machine/geo.ts'
import type { Machine } from './machine/machine.ts'
import type { Reporter } from './machine/report.ts'
import { aborted, withTimeout } from './machine/waiting.ts'
import type { Channel, Stream } from './wire/rpc.ts'
import type { TaskConnection, TaskRunner } from './wire/runner.ts'

export interface SessionParts {
  machine: Machine
  reporter: Reporter
  geo: Geo
  runTask: TaskRunner
  timing: Timing
  config(): AgentConfig
  onUpdateKey(key: string): void
  onConnect(connection: TaskConnection): void
}

/** Uses a connection until it fails or the signal is aborted, then ends its calls in the contract’s order (2.6). Rejects with the cause. */
export const createSession = (parts: SessionParts): ((channel: Channel, signal: AbortSignal) => Promise<void>) => {
  const { machine, reporter, geo, runTask, timing, config } = parts
  // Not set by the first report, so that the second follows the first state, as in Nezha.
  let hostDueAt = Number.NEGATIVE_INFINITY

  /** A new configuration may count other disks, or use other address pages. */
  let reportedConfig = config()

  const reportHost = async (channel: Channel): Promise<boolean> => {
    if (reportedConfig !== config()) geo.forget()
    reportedConfig = config()
    const { response, extension, updateKey } = await channel.call(
      methods.ReportSystemInfo2,
      await reporter.readHost(),
      timing.callMs,
    )
    geo.onServerBoot(response.data)
    if (extension === extensionVersion && updateKey) parts.onUpdateKey(updateKey)
    return extension === extensionVersion
  }

  /** A failure doesn’t end the connection: it is retried after the next state. */
  const repeatHost = (channel: Channel): Promise<void> =>
    reportHost(channel).then(
      () => {
        hostDueAt = machine.now() + timing.hostPeriodMs
      },
      () => undefined,
    )

  const repeatReports = async (channel: Channel) => {
    if (machine.now() >= hostDueAt || reportedConfig !== config()) await repeatHost(channel)
    geo.reportWhenDue(async (report) => (await channel.call(methods.ReportGeoIP, report, timing.callMs)).response)
  }

  const createGapNews = ({ isOurs, send }: TaskConnection) => {
    let told = toUnmeasuredText({ metrics: [], disks: [] })
    return () => {
      const text = toUnmeasuredText(reporter.unmeasured())
      if (!isOurs || text === told) return
      told = text
      send({ id: 0n, type: agentNews.unmeasured, data: text })
    }
  }

  const sendStates = async (
    channel: Channel,
    stream: Stream<State, unknown>,
    { connection, signal }: { connection: TaskConnection; signal: AbortSignal },
  ) => {
    const receipts = stream.messages[Symbol.asyncIterator]()
    const tellGaps = createGapNews(connection)
    while (!signal.aborted) {
      const state = await reporter.readState()
      // The server must know new totals before their parts; failures are retried by `repeatReports`.
      if (reporter.isHostOutdated()) {
        hostDueAt = Number.NEGATIVE_INFINITY
        await repeatHost(channel)
      }
      tellGaps()
      stream.send(state)
      const receipt = await withTimeout(machine, timing.receiptMs, receipts.next())
      if (receipt === 'timeout') throw new Error(`no response from the server for ${timing.receiptMs / 1000} s`)
      if (receipt.done) throw new Error('the server closed the report stream')
      await repeatReports(channel)
      await machine.sleep(config().report_delay * 1000, signal)
    }
  }

  return async (channel, signal) => {
    const over = new AbortController()
    const stop = AbortSignal.any([signal, over.signal])
    try {
      const isOurs = await Promise.race([reportHost(channel), aborted(stop)])
      if (stop.aborted) return
      const tasks = channel.open(methods.RequestTask)
      const states = channel.open(methods.ReportSystemState)
      const streams = new Set<Stream<never, unknown>>()
      const connection = {
        isOurs: isOurs === true,
        send: (result: Partial<TaskResult>) => void tasks.send(TaskResult.create(result)),
        openStream() {
          const stream = channel.open(methods.IOStream)
          streams.add(stream)
          void stream.ended.then(() => streams.delete(stream))
          return stream
        },
      }
      if (connection.isOurs)
        connection.send({
          id: 0n,
          type: agentNews.collectors,
          data: JSON.stringify([...Object.keys(collectors), logsAbility]),
        })
      parts.onConnect(connection)
      const takeTasks = async () => {
        for await (const task of tasks.messages) runTask(task, connection)
        throw new Error('the server closed the task stream')
      }
      try {
        await Promise.race([sendStates(channel, states, { connection, signal: stop }), takeTasks(), aborted(stop)])
      } finally {
        over.abort()
        for (const stream of streams) stream.cancel()
        await endCall(machine, states, timing.goodbyeMs)
        void tasks.halfClose()
        tasks.cancel()
      }
    } finally {
      over.abort()
      await channel.close()
    }
  }
}

const endCall = async (machine: Machine, call: Stream<never, unknown>, ms: number): Promise<void> => {
  void call.halfClose()
  await withTimeout(machine, ms, call.ended)
  call.cancel()
}
