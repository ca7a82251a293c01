import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { CommandEnd, ProgramRequest, RunningCommand } from '../machine.ts'

/** Reads `+ GROUP` and `- GROUP`; kills the remaining groups when the pipe closes. */
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

/** A shell that ends running commands if the agent is killed (SIGKILL): no supported system ends children with their parent. */
function tell(line: string): void {
  if (process.platform === 'win32') return
  if (guard === null) {
    // Own process group, so that Ctrl+C for the agent doesn’t end it; no secrets in its environment.
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

/** Returns what to call when the group has ended. */
export function guardGroup(group: number): () => void {
  tell(`+ ${group}\n`)
  return () => tell(`- ${group}\n`)
}

/** The agent’s environment without its secret. */
export const ownEnvironment = (): NodeJS.ProcessEnv => {
  const { NZ_CLIENT_SECRET: _secret, ...env } = process.env
  return env
}

const plainNames =
  'PATH HOME USER LOGNAME SHELL LANG LC_ALL TZ TERM SYSTEMROOT WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE'.split(' ')

/** For programs without a shell (agent contract 3.10). */
const reducedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(plainNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** `ended` resolves with the output, and rejects if the program couldn’t start or was killed. The program ends with the agent. */
export const startAsking = (file: string, args: readonly string[]): { ended: Promise<string>; kill(): void } => {
  const env = { ...ownEnvironment(), LC_ALL: 'C' }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  running.add(child)
  let output = ''
  // Missing without descriptors; `error` follows.
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

/** Without `onErrors`, stderr is dropped. */
interface Outputs {
  onOutput(chunk: Uint8Array): void
  onErrors?(chunk: Uint8Array): void
}

/** The process group ends with the program or the agent. */
const start = (file: string, args: readonly string[], options: SpawnOptions, stdin: string, outputs: Outputs) => {
  const { onOutput, onErrors } = outputs
  const stdio = [stdin ? 'pipe' : 'ignore', 'pipe', onErrors ? 'pipe' : 'ignore'] as const
  const child = spawn(file, args, { ...options, detached: true, stdio: [...stdio] })
  const letGo = child.pid === undefined ? () => undefined : guardGroup(child.pid)
  const killGroup = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {}
  }
  // A program may end before reading its input.
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

export const runCommand = (command: string, onOutput: (chunk: Uint8Array) => void): RunningCommand =>
  // The inner shell is the command’s; the outer one joins stderr to stdout.
  start('sh', ['-c', 'exec sh -c "$0" 2>&1', command], { env: ownEnvironment() }, '', { onOutput })

/** Nezha agents’ texts (agent contract 3.10). */
const toStartError = ({ code }: NodeJS.ErrnoException, { file, folder }: ProgramRequest): string => {
  if (code === 'EACCES') return 'permission denied'
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return 'internal agent error'
  const isNamed = !file.includes('/') && (!folder || existsSync(folder))
  return isNamed ? 'executable file not found' : 'command or working directory not found'
}

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
    // Impossible names, such as one with a zero byte.
    return { ended: Promise.resolve({ error: 'internal agent error' }), kill: () => undefined }
  }
}
