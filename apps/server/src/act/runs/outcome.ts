import { FailureReason, ItemState } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { parseRefusal, refusals, withoutTimeLimit } from '@qd/protocol/refusals'
import { shellQuote } from '@qd/protocol/shell-quote'
import { taskType } from '@qd/protocol/task-types'
import * as z from 'zod'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { jsonOf } from '../../kernel/json.ts'

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

/** Longest time of a program, in seconds: the most that agents take (agent contract 3.10). */
export const programSeconds = 300
const outputBytes = 1024 * 1024

/** What a shell runs as this program with these arguments. */
export const commandLineOf = (program: readonly string[]): string => program.map(shellQuote).join(' ')

/**
 * The task that starts a program with its arguments: without a shell, or as a quoted command. The latter is for existing agents, which may not know
 * that task, and for programs that may take longer than `programSeconds`.
 */
export function programTask(program: readonly string[], isDirect: boolean): { type: number; data: string } {
  const [cmd, ...args] = program
  if (!isDirect) return { type: Number(taskType.command), data: commandLineOf(program) }
  const request = { cmd, args, timeout_seconds: programSeconds, max_output_bytes: outputBytes }
  return { type: Number(taskType.exec), data: JSON.stringify(request) }
}

const said = z.object({
  exit_code: z.int().catch(-1),
  stdout: z.string().catch(''),
  stderr: z.string().catch(''),
  stdout_truncated: z.boolean().catch(false),
  stderr_truncated: z.boolean().catch(false),
  duration_ms: z.number().catch(0),
  timed_out: z.boolean().catch(false),
  error: z.string().catch(''),
})

/** Reads what an agent says of a program (task 15). */
export function readProgramOutcome({ successful, data }: TaskResult): Outcome {
  const result = successful ? said.safeParse(jsonOf(data)).data : null
  if (!result) return toOutcome(ItemState.failure, cleanOutput(data))
  if (parseRefusal(result.error)) return toOutcome(ItemState.failure, result.error)
  const { stdout, stderr, stdout_truncated: isCut, stderr_truncated: areErrorsCut } = result
  const parts = [isCut ? withMark(stdout) : stdout, areErrorsCut ? withMark(stderr) : stderr, result.error].filter(
    (part) => part !== '',
  )
  const kept = cutOutput(cleanOutput(parts.join('\n')))
  const isDone = result.exit_code === 0 && result.error === '' && !result.timed_out
  return {
    state: isDone ? ItemState.success : ItemState.failure,
    reason: result.timed_out ? FailureReason.timeLimit : null,
    exitCode: result.exit_code < 0 ? null : result.exit_code,
    output: kept.output,
    cutBytes: kept.cutBytes,
    lines: countLines(kept.output),
    durationMs: result.duration_ms > 0 ? Math.round(result.duration_ms) : null,
  }
}

/** Agents don’t say how much of a program’s output they left out. */
const withMark = (text: string) => `${text}\n[output cut]`
