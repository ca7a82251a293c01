import { progressType } from '@qd/protocol/task-types'
import type { CommandEnd, Machine, ProgramRequest } from '../machine/machine.ts'
import { withTimeout } from '../machine/waiting.ts'
import { toReason } from '../wire/rpc.ts'
import type { TaskContext, TaskHandler } from '../wire/runner.ts'
import type { Kills } from './command.ts'
import { countInvalid } from './output.ts'
import { transcode } from './transcode.ts'

/** Seconds and bytes (agent contract 3.10). */
const timeoutSec = { fallback: 30, most: 300 }
const outputBytes = { fallback: 64 * 1024, most: 2 ** 20 }
/** A message has at most 4 MiB, and JSON may escape a byte as six. */
const maxResultBytes = 3 * 2 ** 20
const killMs = 5_000

interface ExecRequest extends ProgramRequest {
  timeoutMs: number
  maxBytes: number
}

interface ExecResult {
  exit_code: number
  stdout: string
  stderr: string
  duration_ms: number
  stdout_truncated?: true
  stderr_truncated?: true
  /** Replaced by U+FFFD; for our server. */
  stdout_invalid_bytes?: number
  stderr_invalid_bytes?: number
  timed_out?: true
  error?: string
}

const clamp = (value: number, { fallback, most }: { fallback: number; most: number }): number =>
  value > 0 ? Math.min(value, most) : fallback

const parseRequest = (text: string): ExecRequest => {
  const fields = JSON.parse(text) as Record<string, unknown> | null
  const take = <T>(key: string, fallback: T, isRight: (value: unknown) => value is T): T => {
    const value = fields?.[key] ?? fallback
    if (!isRight(value)) throw new Error(`${key} has the wrong type`)
    return value
  }
  const isText = (value: unknown): value is string => typeof value === 'string'
  const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)
  const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
  const isMap = (value: unknown): value is Record<string, string> =>
    typeof value === 'object' && !Array.isArray(value) && Object.values(value ?? {}).every(isText)
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new Error('not an object')
  return {
    file: take('cmd', '', isText),
    args: take<string[]>('args', [], isTexts),
    folder: take('cwd', '', isText),
    env: take<Record<string, string>>('env', {}, isMap),
    stdin: take('stdin', '', isText),
    timeoutMs: clamp(take('timeout_seconds', 0, isNumber), timeoutSec) * 1000,
    maxBytes: clamp(take('max_output_bytes', 0, isNumber), outputBytes),
  }
}

const createCapture = (maxBytes: number) => {
  const chunks: Uint8Array[] = []
  let length = 0
  let isCut = false
  return {
    add(chunk: Uint8Array) {
      const kept = chunk.subarray(0, maxBytes - length)
      isCut ||= kept.length < chunk.length
      length += kept.length
      if (kept.length > 0) chunks.push(kept)
    },
    /** Decodes non-UTF-8 in the host’s `charset`, else to U+FFFD; no half characters at the cut. */
    finish(bytes = maxBytes, charset: string | undefined) {
      const all = Buffer.concat(chunks)
      const isShort = isCut || all.length > bytes
      const shown = charset === undefined ? all.subarray(0, bytes) : transcode(all.subarray(0, bytes), charset)
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
      return { text: decoder.decode(shown, { stream: isShort }), isCut: isShort, invalid: countInvalid(shown, isShort) }
    },
  }
}

const describe = (end: CommandEnd | 'timeout'): Pick<ExecResult, 'exit_code' | 'error'> => {
  if (end === 'timeout') return { exit_code: -1, error: 'process did not exit after kill' }
  if ('error' in end) return { exit_code: -1, error: end.error }
  return { exit_code: 'code' in end ? end.code : -1 }
}

/** Task 15: a program without a shell (agent contract 3.10, docs/reference/agent-extensions.md). */
export const createExecHandler = (machine: Machine, stop: AbortSignal, kills: Kills): TaskHandler => {
  const run = async (request: ExecRequest, id: bigint, progress: TaskContext['progress']): Promise<string> => {
    const charset = await machine.codePage()
    const startedAt = machine.now()
    const [out, errors] = [createCapture(request.maxBytes), createCapture(request.maxBytes)]
    const running = machine.runProgram(request, { onOutput: out.add, onErrors: errors.add })
    stop.addEventListener('abort', running.kill)
    kills.set(id, running.kill)
    progress?.(progressType.running, '')
    let end = await withTimeout(machine, request.timeoutMs, running.ended)
    const isHung = end === 'timeout'
    if (isHung) {
      running.kill()
      end = await withTimeout(machine, killMs, running.ended)
    }
    stop.removeEventListener('abort', running.kill)
    kills.delete(id)
    const { exit_code, error } = describe(end)
    const toText = (bytes: number): string => {
      const [stdout, stderr] = [out.finish(bytes, charset), errors.finish(bytes, charset)]
      const text = JSON.stringify({
        exit_code,
        stdout: stdout.text,
        stderr: stderr.text,
        duration_ms: Math.round(machine.now() - startedAt),
        ...(stdout.isCut ? { stdout_truncated: true } : {}),
        ...(stderr.isCut ? { stderr_truncated: true } : {}),
        ...(progress && stdout.invalid > 0 ? { stdout_invalid_bytes: stdout.invalid } : {}),
        ...(progress && stderr.invalid > 0 ? { stderr_invalid_bytes: stderr.invalid } : {}),
        ...(isHung ? { timed_out: true } : {}),
        ...(error ? { error } : {}),
      } satisfies ExecResult)
      return Buffer.byteLength(text) <= maxResultBytes ? text : toText(bytes / 2)
    }
    return toText(request.maxBytes)
  }

  return async (task, { reply, progress }) => {
    let request: ExecRequest
    try {
      request = parseRequest(task.data)
    } catch (error) {
      return reply({ data: `invalid exec request: ${toReason(error)}` })
    }
    const data = request.file ? await run(request, task.id, progress) : refusal('cmd required')
    reply({ successful: true, data })
  }
}

const refusal = (error: string): string =>
  JSON.stringify({ exit_code: -1, stdout: '', stderr: '', duration_ms: 0, error } satisfies ExecResult)

export const execRefusal = refusal('agent disabled command execution')
