import { toReportedVersion } from '@qd/protocol/agent-update'
import type { Settings } from './config/settings.ts'
import { defaultTiming, type Timing, toRetryDelayMs } from './config/timing.ts'
import { findAddresses } from './machine/addresses.ts'
import { createGeo } from './machine/geo.ts'
import type { Machine, OwnProgram } from './machine/machine.ts'
import { createReporter } from './machine/report.ts'
import { createSession } from './session.ts'
import { createTaskHandlers } from './tasks/index.ts'
import { reportUpdate } from './tasks/update.ts'
import { createChannel, isRefusal, toReason } from './wire/rpc.ts'
import { createTaskRunner } from './wire/runner.ts'

export type Agent = ReturnType<typeof startAgent>

/** Reports and takes tasks; reconnects forever. */
export const startAgent = (options: {
  settings: Settings
  machine: Machine
  version: string
  program?: OwnProgram | undefined
  timing?: Timing
}) => {
  const { settings, machine, version, program, timing = defaultTiming } = options
  const config = () => settings.current
  const stop = new AbortController()
  let renewal = new AbortController()
  const handlers = createTaskHandlers({
    machine,
    settings,
    version,
    program,
    timing,
    stop: stop.signal,
    reconnect: () => renewal.abort(),
  })
  const saved = (work: Promise<void>) =>
    void work.catch((error) => machine.log(`failed to save the configuration: ${toReason(error)}`))
  const runTask = createTaskRunner(handlers, (error) => machine.log(`task failed: ${toReason(error)}`))
  const runSession = createSession({
    machine,
    timing,
    reporter: createReporter(machine, toReportedVersion(version), config),
    geo: createGeo({
      find: () => findAddresses(machine, config()),
      now: machine.now,
      periodMs: () => config().ip_report_period * 1000,
      use6: () => config().use_ipv6_country_code,
    }),
    runTask(task, connection) {
      if (config().debug) machine.log(`task ${task.id} of type ${task.type}`)
      runTask(task, connection)
    },
    config,
    onUpdateKey: (key) => saved(settings.pin(key)),
    onConnect(connection) {
      reportUpdate(program, connection)
      saved(settings.enrolled())
    },
  })

  const run = async () => {
    let failures = 0
    while (!stop.signal.aborted) {
      const startedAt = machine.now()
      renewal = new AbortController()
      const end = AbortSignal.any([stop.signal, renewal.signal])
      const failure: unknown = await runSession(createChannel(config(), machine, settings), end).then(
        () => undefined,
        (error) => error,
      )
      if (stop.signal.aborted) return
      if (renewal.signal.aborted) continue
      if (machine.now() - startedAt >= timing.steadyMs) failures = 0
      const delayMs = toRetryDelayMs(timing, isRefusal(failure), failures, machine.random())
      failures += 1
      const { server } = config()
      const what = isRefusal(failure)
        ? `${server} refused this agent; check ${settings.code ? 'the code' : '--secret'} and --uuid`
        : `cannot connect to ${server}`
      machine.log(`${what}: ${toReason(failure)}; retrying in ${(delayMs / 1000).toFixed(1)} s`)
      await machine.sleep(delayMs, end)
    }
  }
  const stopped = run()
  return {
    stop(): Promise<void> {
      stop.abort()
      return stopped
    },
  }
}
