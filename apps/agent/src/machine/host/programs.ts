import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { CommandEnd, ProgramRequest, RunningCommand } from '../machine.ts'

/** Reads `+ GROUP` and `- GROUP`; when the pipe closes, it kills the groups that are left. */
const script = `
left=
while read -r sign group; do
  rest=
  for one in $left; do [ "$one" = "$group" ] || rest="$rest $one"; done
  left=$rest
  [ "$sign" = + ] && left="$left $group"
done
for one in $left; do kill -9 "-$one"; done
`

let guard: ChildProcess | null = null

/**
 * A shell beside the agent that ends the process groups of its running commands when the agent is gone without having been
 * asked to end (SIGKILL): no supported system ends children with their parent (issue 11.8). Started with the first command; it ends
 * with the agent, however that ends.
 */
function tell(line: string): void {
  if (process.platform === 'win32') return
  if (guard === null) {
    // Its own process group, so that a Ctrl+C for the agent does not end it; its environment has none of the agent's secrets.
    guard = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env: {} })
    const gone = () => {
      guard = null
    }
    guard.on('error', gone).on('exit', gone)
    guard.stdin?.on('error', () => undefined)
    guard.unref()
    ;(guard.stdin as { unref?(): void } | null)?.unref?.()
  }
  guard.stdin?.write(line)
}

/** Guards a process group. Returns a function to call when the group has ended. */
export function guardGroup(group: number): () => void {
  tell(`+ ${group}\n`)
  return () => tell(`- ${group}\n`)
}

/** The environment that shells and programs on behalf of others get: the agent's own without its secret. */
export const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { NZ_CLIENT_SECRET: _secret, ...env } = process.env
  return env
}

const plainNames =
  'PATH HOME USER LOGNAME SHELL LANG LC_ALL TZ TERM SYSTEMROOT WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE'.split(' ')

/** What programs without a shell start with. Source: agent contract 3.10. */
const reducedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(plainNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Runs a program that is asked for something; `ended` resolves with what it printed when it ends, and rejects if it couldn’t start or was
 * killed. It goes with the agent.
 */
export const startAsking = (file: string, args: readonly string[]): { ended: Promise<string>; kill(): void } => {
  const env = { ...ownEnvironment(), LC_ALL: 'C' }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  running.add(child)
  let output = ''
  // There is none where the system has no descriptor left; then `error` comes.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.on('close', (_code, signal) => {
      running.delete(child)
      if (signal) reject(new Error(`${file} was terminated by ${signal}`))
      else resolve(output)
    })
  })
  ended.catch(() => undefined)
  return { ended, kill: () => void child.kill('SIGKILL') }
}

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

/** Why a program could not be started, in the fixed words of Nezha agents. Source: agent contract 3.10. */
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
