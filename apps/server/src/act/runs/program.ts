import { FailureReason, ItemState } from '@qd/core/resources'
import type { TaskResult } from '@qd/protocol/agent'
import { parseRefusal } from '@qd/protocol/refusals'
import { shellQuote } from '@qd/protocol/shell-quote'
import { taskType } from '@qd/protocol/task-types'
import * as z from 'zod'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { countLines, cutOutput, type Outcome, toOutcome } from './outcome.ts'

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
  const result = successful ? parse(data) : null
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

function parse(data: string): z.output<typeof said> | null {
  try {
    return said.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}
