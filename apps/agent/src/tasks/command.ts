import { toTimeLimitLine } from '@qd/protocol/refusals'
import { progressType } from '@qd/protocol/task-types'
import type { CommandEnd, Machine } from '../machine/machine.ts'
import type { TaskHandler } from '../wire/runner.ts'
import { createOutput } from './output.ts'
import { createTranscoder } from './transcode.ts'

/** A result takes 1 MiB, including notes and exit text. */
const maxOutputBytes = 2 ** 20 - 256

/** As Nezha agents. */
const signalWords: Record<string, string> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupt',
  SIGQUIT: 'quit',
  SIGILL: 'illegal instruction',
  SIGTRAP: 'trace/breakpoint trap',
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGFPE: 'floating point exception',
  SIGKILL: 'killed',
  SIGUSR1: 'user defined signal 1',
  SIGSEGV: 'segmentation fault',
  SIGUSR2: 'user defined signal 2',
  SIGPIPE: 'broken pipe',
  SIGALRM: 'alarm clock',
  SIGTERM: 'terminated',
}

/** Nezha’s words, such as `exit status 3` or `signal: killed`. */
export const toExitText = (end: CommandEnd): string => {
  if ('error' in end) return end.error
  return 'code' in end ? `exit status ${end.code}` : `signal: ${signalWords[end.signal] ?? end.signal}`
}

const createPieces = (machine: Machine, periodMs: number, send: (piece: string) => void) => {
  let pending = ''
  let isWaiting = false
  return (text: string) => {
    pending += text
    if (isWaiting || !pending) return
    isWaiting = true
    void machine.sleep(periodMs).then(() => {
      isWaiting = false
      send(pending)
      pending = ''
    })
  }
}

/** What ends a command or program that runs, by the ID of its task. */
export type Kills = Map<bigint, () => void>

export interface CommandLimits {
  commandMs: number
  progressMs: number
  stop: AbortSignal
}

/** Task 4 (agent contract 3.5, docs/reference/agent-extensions.md). */
export const createCommandHandlers = (
  machine: Machine,
  { commandMs, progressMs, stop }: CommandLimits,
  kills: Kills,
): { run: TaskHandler; end: TaskHandler } => {
  const run: TaskHandler = async (task, { reply, progress }) => {
    const charset = await machine.codePage()
    const startedAt = machine.now()
    const output = createOutput(maxOutputBytes)
    const transcoder = charset === undefined ? undefined : createTranscoder(charset)
    let isOver = false
    let isLate = false
    const sendPiece = createPieces(machine, progressMs, (piece) => isOver || progress?.(progressType.output, piece))
    const running = machine.runCommand(task.data, (chunk) => {
      const text = output.add(transcoder ? transcoder.add(chunk) : chunk)
      if (progress) sendPiece(text)
    })
    kills.set(task.id, running.kill)
    progress?.(progressType.running, '')
    const over = new AbortController()
    void machine.sleep(commandMs, AbortSignal.any([over.signal, stop])).then(() => {
      if (over.signal.aborted) return
      isLate = !stop.aborted
      running.kill()
    })
    const end = await running.ended
    isOver = true
    kills.delete(task.id)
    over.abort()
    if ('error' in end) return reply({ data: end.error })
    if (transcoder) output.add(transcoder.end())
    const successful = 'code' in end && end.code === 0 && !isLate
    const data = `${isLate ? toTimeLimitLine(commandMs) : ''}${output.finish()}${successful ? '' : `\n${toExitText(end)}`}`
    reply({ successful, data, delay: (machine.now() - startedAt) / 1000 })
  }
  return { run, end: (task) => kills.get(task.id)?.() }
}
