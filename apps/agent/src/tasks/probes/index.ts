import { taskType } from '@qd/protocol/task-types'
import type { Settings } from '../../config/settings.ts'
import type { Timing } from '../../config/timing.ts'
import type { Machine, Page } from '../../machine/machine.ts'
import type { TaskHandler } from '../../wire/runner.ts'
import { probeIcmp } from './icmp.ts'
import { createTurns, type Finding, failure, isPlain, toErrorText } from './probe.ts'
import { probeTcp } from './tcp.ts'

/** A large file must not fill the connection. */
const maxBytes = 16 * 2 ** 20

const headers = { Accept: '*/*', 'Accept-Language': 'en', 'User-Agent': 'quarterdeck-agent' }

/** `R11|2026-03-01 12:00:00 +0000 UTC`: issuer and expiry (agent contract 3.4). */
const toCertificateText = ({ issuer, expiresAt }: NonNullable<Page['certificate']>): string => {
  const [day, time] = expiresAt.toISOString().split(/[T.]/)
  return `${issuer.replaceAll('|', ' ')}|${day} ${time} +0000 UTC`
}

const withoutPassword = (url: URL): string => {
  const shown = new URL(url)
  if (shown.password) shown.password = 'xxxxx'
  return shown.href
}

/** Task 1: 200 to 399 succeeds; redirects aren’t followed. */
const probeHttp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return failure('invalid URL: only http and https schemes are supported')
  const startedAt = machine.now()
  try {
    const { status, reason, certificate } = await machine.getPage({ url, headers, maxBytes, timeoutMs })
    const delay = machine.now() - startedAt
    if (status < 200 || status > 399) return { ...failure(`\n应用错误: ${`${status} ${reason}`.trim()}`), delay }
    return { successful: true, delay, ...(certificate && { data: toCertificateText(certificate) }) }
  } catch (error) {
    return failure(`Get "${withoutPassword(url)}": ${toErrorText(error)}`)
  }
}

const maxAtOnce = 128
const maxWaiting = 2048

/** Tasks 1 to 3. Targets never reach a shell (agent contract 3.4). */
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
  const inTurn = createTurns(maxAtOnce, maxWaiting)
  const { httpMs, icmpMs, tcpMs } = timing.probe
  const handler =
    (probe: (target: string) => Promise<Finding>): TaskHandler =>
    async ({ data: target }, { reply, progress }) => {
      if (settings.current.disable_send_query) return reply(failure('This server has disabled query sending'))
      if (!isPlain(target)) return reply(failure('invalid target'))
      const { address, ...found } = (await inTurn(() => probe(target))) ?? failure('too many probes at once')
      // Nezha notifications would show a success’s text as an error.
      reply(address && progress ? { ...found, data: address } : found)
    }
  return new Map([
    [taskType.httpProbe, handler((target) => probeHttp(machine, target, httpMs))],
    [taskType.icmpProbe, handler((target) => probeIcmp(machine, target, { timeoutMs: icmpMs, stop }))],
    [taskType.tcpProbe, handler((target) => probeTcp(machine, target, tcpMs))],
  ])
}
