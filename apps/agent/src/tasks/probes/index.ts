import { taskType } from '@qd/protocol/task-types'
import type { Settings } from '../../config/settings.ts'
import type { Timing } from '../../config/timing.ts'
import type { Machine, Page } from '../../machine/machine.ts'
import type { TaskHandler } from '../../wire/runner.ts'
import { probeIcmp } from './icmp.ts'
import { createTurns, type Finding, failure, isPlain, toErrorText } from './probe.ts'
import { probeTcp } from './tcp.ts'

/** Bytes of a body that a probe reads at most, so that a large file does not fill the connection. */
const maxBytes = 16 * 2 ** 20

const headers = { Accept: '*/*', 'Accept-Language': 'en', 'User-Agent': 'quarterdeck-agent' }

/** `R11|2026-03-01 12:00:00 +0000 UTC`: the issuer, and when the certificate ends. Source: agent contract 3.4. */
const toCertificateText = ({ issuer, expiresAt }: NonNullable<Page['certificate']>): string => {
  const [day, time] = expiresAt.toISOString().split(/[T.]/)
  return `${issuer.replaceAll('|', ' ')}|${day} ${time} +0000 UTC`
}

/** An address without the password that it may hold. */
const withoutPassword = (url: URL): string => {
  const shown = new URL(url)
  if (shown.password) shown.password = 'xxxxx'
  return shown.href
}

/** Task 1: GET of a web address; 200 to 399 is good, redirects are not followed. */
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

/** Limits for running and for waiting probes; a probe beyond them is answered with an error. */
const maxAtOnce = 128
const maxWaiting = 2048

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
  const inTurn = createTurns(maxAtOnce, maxWaiting)
  const { httpMs, icmpMs, tcpMs } = timing.probe
  const handler =
    (probe: (target: string) => Promise<Finding>): TaskHandler =>
    async ({ data: target }, { reply, progress }) => {
      if (settings.current.disable_send_query) return reply(failure('This server has disabled query sending'))
      if (!isPlain(target)) return reply(failure('invalid target'))
      const { address, ...found } = (await inTurn(() => probe(target))) ?? failure('too many probes at once')
      // Nezha servers put the text of a success into notifications, as an error.
      reply(address && progress ? { ...found, data: address } : found)
    }
  return new Map([
    [taskType.httpProbe, handler((target) => probeHttp(machine, target, httpMs))],
    [taskType.icmpProbe, handler((target) => probeIcmp(machine, target, { timeoutMs: icmpMs, stop }))],
    [taskType.tcpProbe, handler((target) => probeTcp(machine, target, tcpMs))],
  ])
}
