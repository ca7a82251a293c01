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
  /** First pause before a restart; doubled up to `maxPauseMs` while the child keeps ending before that time. */
  pauseMs: number
  maxPauseMs: number
  /** A new program that is not connected after this time is replaced by the previous one. */
  trialMs: number
  /** A child that was asked to end is killed after this time. */
  goodbyeMs: number
}

/** What a child says that ends although one of its threads hangs, so that its process may not be gone for long. */
export interface Leaving {
  leaves: number
}

/** Exit code of a mistake in the settings; a restart would not help. */
const usageExitCode = 2

/** How a child ended. */
type Ended = Pick<ChildProcess, 'exitCode' | 'signalCode'>

const describe = ({ exitCode, signalCode }: Ended): string =>
  signalCode ? `was terminated by ${signalCode}` : `exited with code ${exitCode}`

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

  const run = async (): Promise<Ended> => {
    // A single file is the program itself.
    const words = program === process.execPath ? args : [...process.execArgv, program, ...args]
    const child = spawn(process.execPath, words, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    const trial = onTrial() && setTimeout(() => onTrial() && child.kill('SIGKILL'), trialMs)
    const end = () => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), goodbyeMs).unref()
    }
    stop.addEventListener('abort', end)
    const code = await new Promise<number | undefined>((resolve) => {
      const gone = () => resolve(undefined)
      child.once('error', gone).once('close', gone)
      child.on('message', (said: Partial<Leaving>) => typeof said.leaves === 'number' && resolve(said.leaves))
    })
    // The kernel keeps what is left of it until its call comes back; the next one can start meanwhile.
    if (code !== undefined && child.connected) child.disconnect()
    stop.removeEventListener('abort', end)
    clearTimeout(trial)
    return code === undefined ? child : { exitCode: code, signalCode: null }
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
    pauseMs = lastedMs > options.maxPauseMs ? options.pauseMs : pauseMs
    log(`the agent ${describe(child)}; restarting it in ${(pauseMs / 1000).toFixed(0)} s`)
    await sleep(pauseMs, undefined, { signal: stop }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, options.maxPauseMs)
  }
  return 0
}
