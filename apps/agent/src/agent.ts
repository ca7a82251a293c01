import { findAddresses } from './addresses.ts'
import { createGeo } from './geo.ts'
import type { Machine } from './machine.ts'
import { createReporter } from './report.ts'
import { createChannel, isRefusal, toReason } from './rpc.ts'
import { createSession } from './session.ts'
import type { Settings } from './settings.ts'
import { createTaskHandlers } from './tasks/index.ts'
import { createTaskRunner } from './tasks/runner.ts'
import { defaultTiming, type Timing, toRetryDelayMs } from './timing.ts'

/** An agent at work. */
export interface Agent {
  /** Ends running commands and the connection; resolves when all is over. */
  stop(): Promise<void>
}

/** Starts to report and to take tasks; connects again for ever, whatever happens. `version` is the agent's own. */
export const startAgent = (options: {
  settings: Settings
  machine: Machine
  version: string
  timing?: Timing
}): Agent => {
  const { settings, machine, version, timing = defaultTiming } = options
  const stop = new AbortController()
  const handlers = createTaskHandlers(machine, settings.allowCommands, { ...timing, stop: stop.signal })
  const runSession = createSession({
    machine,
    timing,
    reporter: createReporter(machine, version),
    geo: createGeo({
      find: () => findAddresses(machine, settings),
      now: machine.now,
      periodMs: settings.addressPeriodMs,
    }),
    runTask: createTaskRunner(handlers, (error) => machine.log(`a task failed: ${toReason(error)}`)),
    reportDelayMs: settings.reportDelayMs,
  })

  const run = async () => {
    let failures = 0
    while (!stop.signal.aborted) {
      const startedAt = machine.now()
      const failure: unknown = await runSession(createChannel(settings, machine), stop.signal).then(
        () => undefined,
        (error) => error,
      )
      if (stop.signal.aborted) return
      if (machine.now() - startedAt >= timing.steadyMs) failures = 0
      const delayMs = toRetryDelayMs(timing, isRefusal(failure), failures, machine.random())
      failures += 1
      const what = isRefusal(failure)
        ? `${settings.server} refuses this agent, check --secret and --uuid`
        : `no connection to ${settings.server}`
      machine.log(`${what}: ${toReason(failure)}; next try in ${(delayMs / 1000).toFixed(1)} s`)
      await machine.sleep(delayMs, stop.signal)
    }
  }
  const stopped = run()
  return {
    stop() {
      stop.abort()
      return stopped
    },
  }
}
