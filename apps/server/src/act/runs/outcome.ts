import { FailureReason, ItemState } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { parseRefusal, refusals, withoutTimeLimit } from '@qd/protocol/refusals'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'

export type Failure = (typeof FailureReason)[keyof typeof FailureReason]

export interface Outcome {
  state: typeof ItemState.success | typeof ItemState.failure
  reason: Failure | null
  /** Null if the agent does not say. */
  exitCode: number | null
  /** Valid UTF-8 without controls, at most `maxOutputBytes`. */
  output: string
  cutBytes: number
  lines: number
  durationMs: number | null
}

/** Output kept of one part (decisions.md, "Run states"). */
export const maxOutputBytes = 1024 * 1024

/** Nezha agents append this to the output of a command that failed (agent contract 3.5). On Windows, codes above 65535 are in hexadecimal. */
const exitText = /\n?exit status (\d{1,5}|0x[\da-f]{1,8})$/
/** Our agents say so what they have cut themselves (docs/reference/agent-extensions.md). */
const cutNote = /\n\[(\d{1,15}) bytes cut\]$/

export function readOutcome(result: TaskResult, announced: boolean): Outcome {
  if (!result.successful && parseRefusal(result.data)) return toOutcome(ItemState.failure, result.data)
  const limited = result.successful ? undefined : withoutTimeLimit(result.data)
  const data = limited ?? result.data
  const exit = result.successful ? null : exitText.exec(data)
  const text = exit ? data.slice(0, exit.index) : data
  const note = announced ? cutNote.exec(text) : null
  const kept = cutOutput(cleanOutput(note ? text.slice(0, note.index) : text))
  const delayMs = result.delay * 1000
  return {
    state: result.successful ? ItemState.success : ItemState.failure,
    reason: limited === undefined ? null : FailureReason.timeLimit,
    exitCode: result.successful ? 0 : exit ? toSigned(exit[1]!) : null,
    output: kept.output,
    cutBytes: kept.cutBytes + Number(note?.[1] ?? 0),
    lines: countLines(kept.output),
    durationMs: Number.isFinite(delayMs) && delayMs > 0 ? Math.round(delayMs) : null,
  }
}

/** A 32-bit exit code as PowerShell shows it: `0xc0000005` is -1073741819. */
const toSigned = (code: string) => Number(code) | 0

/** An outcome without exit code or duration. `text` is clean. A refusal of a Nezha agent, which may be in Chinese, is told in our agents’ words. */
export function toOutcome(state: Outcome['state'], text: string): Outcome {
  const refusal = state === ItemState.failure ? parseRefusal(text) : undefined
  const { output, cutBytes } = cutOutput(refusal ? refusals[refusal] : text)
  const reason = refusal ? FailureReason.refused : null
  return { state, reason, exitCode: null, output, cutBytes, lines: countLines(output), durationMs: null }
}

export function cutOutput(text: string): { output: string; cutBytes: number } {
  const size = Buffer.byteLength(text)
  if (size <= maxOutputBytes) return { output: text, cutBytes: 0 }
  const bytes = Buffer.from(text)
  let end = maxOutputBytes
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1
  return { output: bytes.toString('utf8', 0, end), cutBytes: size - end }
}

export function countLines(output: string): number {
  const ends = output.split('\n').length - 1
  return output === '' || output.endsWith('\n') ? ends : ends + 1
}
