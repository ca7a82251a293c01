import { taskType } from '@qd/protocol/task-types'
import type { Settings } from '../../config/settings.ts'
import type { Timing } from '../../config/timing.ts'
import type { Machine } from '../../machine/machine.ts'
import type { TaskHandler } from '../../wire/runner.ts'
import { probeHttp } from './http.ts'
import { probeIcmp } from './icmp.ts'
import { type Finding, failure } from './probe.ts'
import { isPlain } from './target.ts'
import { probeTcp } from './tcp.ts'
import { createTurns } from './turns.ts'

/** Limits for running and for waiting probes; a probe beyond them is answered with an error. */
const mostAtOnce = 128
const mostWaiting = 2048

/** Tasks 1 to 3: is a site, host or port reachable from here? Targets never reach a shell. Source: agent contract 3.4. */
export const createProbeHandlers = ({
  machine,
  settings,
  timing,
  stop,
}: {
  machine: Machine
  settings: Settings
  timing: Timing
  stop: AbortSignal
}): ReadonlyMap<bigint, TaskHandler> => {
  const inTurn = createTurns(mostAtOnce, mostWaiting)
  const { httpMs, icmpMs, tcpMs } = timing.probe
  const handler =
    (probe: (target: string) => Promise<Finding>): TaskHandler =>
    async ({ data: target }, { reply, progress }) => {
      if (settings.current.disable_send_query) return reply(failure('This server has disabled query sending'))
      if (!isPlain(target)) return reply(failure('invalid target'))
      const { address, ...found } = (await inTurn(() => probe(target))) ?? failure('too many probes at once')
      // Existing servers put the text of a success into notifications, as an error.
      reply(address && progress ? { ...found, data: address } : found)
    }
  return new Map([
    [taskType.httpProbe, handler((target) => probeHttp(machine, target, httpMs))],
    [taskType.icmpProbe, handler((target) => probeIcmp(machine, target, { timeoutMs: icmpMs, stop }))],
    [taskType.tcpProbe, handler((target) => probeTcp(machine, target, tcpMs))],
  ])
}
