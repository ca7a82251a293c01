import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { CommandEnd, ProgramRequest, RunningCommand } from '../machine.ts'
import { ownEnvironment, reducedEnvironment } from './environment.ts'
import { guardGroup } from './group-guard.ts'

/** Where the output goes; without `onErrors`, stderr is dropped. */
interface Outputs {
  onOutput(chunk: Uint8Array): void
  onErrors?(chunk: Uint8Array): void
}

/** Starts a program in a process group of its own, which is gone when it, or this agent, has ended. */
const start = (file: string, args: readonly string[], options: SpawnOptions, stdin: string, outputs: Outputs) => {
  const { onOutput, onErrors } = outputs
  const stdio = [stdin ? 'pipe' : 'ignore', 'pipe', onErrors ? 'pipe' : 'ignore'] as const
  const child = spawn(file, args, { ...options, detached: true, stdio: [...stdio] })
  const letGo = child.pid === undefined ? () => undefined : guardGroup(child.pid)
  const killGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is already empty.
    }
  }
  // A program may end before it has read its input.
  child.stdin?.on('error', () => undefined).end(stdin)
  child.stdout?.on('data', onOutput)
  if (onErrors) child.stderr?.on('data', onErrors)
  const ended = new Promise<CommandEnd & { cause?: NodeJS.ErrnoException }>((resolve) => {
    child.on('error', (cause) => resolve({ error: cause.message, cause }))
    child.on('close', (code, signal) => {
      killGroup()
      letGo()
      resolve(code === null ? { signal: signal ?? 'unknown' } : { code })
    })
  })
  return {
    ended,
    kill() {
      killGroup()
      setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, 1000).unref()
    },
  }
}

/** Starts a shell command; see `Machine.runCommand`. */
export const runCommand = (command: string, onOutput: (chunk: Uint8Array) => void): RunningCommand =>
  // The inner shell is the command's own; the outer one only joins stderr to stdout and is replaced by it.
  start('sh', ['-c', 'exec sh -c "$0" 2>&1', command], { env: ownEnvironment() }, '', { onOutput })

/** Why a program could not be started, in the fixed words of existing agents. Source: agent contract 3.10. */
const toStartError = ({ code }: NodeJS.ErrnoException, { file, folder }: ProgramRequest): string => {
  if (code === 'EACCES') return 'permission denied'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return 'internal agent error'
  const isNamed = !file.includes('/') && (!folder || existsSync(folder))
  return isNamed ? 'executable file not found' : 'command or working directory not found'
}

/** Starts a program without a shell; see `Machine.runProgram`. */
export const runProgram = (request: ProgramRequest, outputs: Required<Outputs>): RunningCommand => {
  const { file, args, folder, env, stdin } = request
  try {
    const options = { env: { ...reducedEnvironment(), ...env }, ...(folder ? { cwd: folder } : {}) }
    const { ended, kill } = start(file, args, options, stdin, outputs)
    const told = ended.then(
      (end): CommandEnd => ('cause' in end && end.cause ? { error: toStartError(end.cause, request) } : end),
    )
    return { ended: told, kill }
  } catch {
    // No system can start such a program, for example one with a zero byte in its name.
    return { ended: Promise.resolve({ error: 'internal agent error' }), kill: () => undefined }
  }
}
