import type { TaskResult } from '@qd/protocol/agent'
import { cleanLine } from '../../fleet/agents/clean-text.ts'

const maxChars = 500
/** A longer delay cannot be true: probes end within 30 s. */
const maxDelayMs = 3_600_000

/** What an agent says of a probe, taken for no more than it can be. `delay`: ms, null for a failure. */
export interface Answer {
  readonly ok: boolean
  readonly delay: number | null
  /** One harmless line. */
  readonly data: string
  /** Which of the target’s addresses answered, where our agent says so; else empty. */
  readonly address: string
}

/** An address, with or without a port; what else a success says is a certificate. */
const address = /^(?:\d+(?:\.\d+){3}|\[?[\da-f]*:[\da-f:.]*(?:%\w+)?\]?)(?::\d+)?$/i

/** Reads a result: senseless delays are 0 or an hour, and the label of Nezha agents before an HTTP status is in their own language. Pure. */
export function readAnswer({ successful: ok, delay, data }: Pick<TaskResult, 'successful' | 'delay' | 'data'>): Answer {
  const said = data
    .slice(0, maxChars)
    .trim()
    .replace(/^\u5e94\u7528\u9519\u8bef: /, 'HTTP ')
  const sensible = Number.isFinite(delay) ? Math.min(Math.max(0, delay), maxDelayMs) : 0
  const line = cleanLine(said, maxChars)
  const isAddress = ok && address.test(line)
  return { ok, delay: ok ? sensible : null, data: isAddress ? '' : line, address: isAddress ? line : '' }
}

/** Error texts of agents that could not probe at all, ours and Nezha’s (agent contract 3.1). They say nothing about the service. */
const reasons: readonly RegExp[] = [
  /^ping is not installed/i,
  /^This server has disabled query sending/i,
  // A Nezha agent without the right to raw sockets.
  /icmp.*socket: (operation not permitted|permission denied)/i,
]

/** True if a reporter says that it cannot probe. That is not a result (issue 12.10). */
export const isUnable = ({ ok, data }: { ok: boolean; data: string }): boolean =>
  !ok && reasons.some((reason) => reason.test(data))
