import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { updateExitCode } from '@qd/protocol/agent-update'
import { readNote, rollBack } from './own-program.ts'

/** The supervised program and its time limits, in milliseconds. */
export interface SuperviseOptions {
  program: string
  args: readonly string[]
  /** Ends the child and the supervision. */
  stop: AbortSignal
  log(line: string): void
  /** First pause before a restart; doubled up to `mostPauseMs` while the child keeps ending before that time. */
  pauseMs: number
  mostPauseMs: number
  /** A new program that is not connected after this time is replaced by the previous one. */
  trialMs: number
  /** A child that was asked to end is killed after this time. */
  goodbyeMs: number
}

/** Exit code of a mistake in the settings; a restart would not help. */
const usageExitCode = 2

const describe = (child: ChildProcess): string =>
  child.signalCode ? `was terminated by ${child.signalCode}` : `exited with code ${child.exitCode}`

/**
 * Runs the program and starts it again whenever it ends; restores the previous program if an updated one does not
 * connect. The child has a channel to this process, so that both end together. Resolves with the exit code to end with.
 */
export const supervise = async (options: SuperviseOptions): Promise<number> => {
  const { program, args, stop, log, trialMs, goodbyeMs } = options
  const onTrial = () => {
    const note = readNote(program)
    return note?.failure === undefined ? note : undefined
  }

  const run = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    const trial = onTrial() && setTimeout(() => onTrial() && child.kill('SIGKILL'), trialMs)
    const end = () => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), goodbyeMs).unref()
    }
    stop.addEventListener('abort', end)
    await new Promise((resolve) => child.once('error', resolve).once('close', resolve))
    stop.removeEventListener('abort', end)
    clearTimeout(trial)
    return child
  }

  let pauseMs = options.pauseMs
  while (!stop.aborted) {
    const startedAt = performance.now()
    const child = await run()
    if (stop.aborted) break
    const lastedMs = performance.now() - startedAt
    const note = onTrial()
    if (child.exitCode === updateExitCode) continue
    if (note) {
      const reason = lastedMs < trialMs ? describe(child) : `did not connect within ${Math.round(trialMs / 1000)} s`
      log(`the new agent ${reason}; back to ${note.from}`)
      rollBack(program, note, `${note.to} ${reason}`)
      continue
    }
    if (child.exitCode === usageExitCode) return usageExitCode
    pauseMs = lastedMs > options.mostPauseMs ? options.pauseMs : pauseMs
    log(`the agent ${describe(child)}; restarting it in ${(pauseMs / 1000).toFixed(0)} s`)
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, options.mostPauseMs)
  }
  return 0
}
