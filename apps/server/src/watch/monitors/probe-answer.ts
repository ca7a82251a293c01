import type { TaskResult } from '@qd/protocol/agent'
import { cleanLine } from '../../fleet/agents/clean-text.ts'

const maxChars = 500
const maxDelayMs = 3_600_000

interface Answer {
  readonly ok: boolean
  readonly delay: number | null
  readonly data: string
  readonly address: string
}

/** Anything else in a success is a certificate. */
const address = /^(?:\d+(?:\.\d+){3}|\[?[\da-f]*:[\da-f:.]*(?:%\w+)?\]?)(?::\d+)?$/i

/** Clamps delays, and replaces the Chinese label that Nezha agents put before an HTTP status. */
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

/** Errors of agents that can't probe, ours and Nezha’s (agent contract 3.1). */
const reasons: readonly RegExp[] = [
  /^ping is not installed/i,
  /^This server has disabled query sending/i,
  /icmp.*socket: (operation not permitted|permission denied)/i,
]

export const isUnable = ({ ok, data }: { ok: boolean; data: string }): boolean =>
  !ok && reasons.some((reason) => reason.test(data))
