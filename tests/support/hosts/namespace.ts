import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A program with mounts that only it sees. */
export interface Secluded {
  readonly process: ChildProcess
  /** Its standard error so far. */
  readonly errors: () => string
  readonly ended: Promise<number | null>
}

/** Builds the file system that doesn't respond into a folder; answers its program. */
export function buildHungMount(folder: string): string {
  const program = join(folder, 'hung-mount')
  execFileSync('cc', ['-O1', '-o', program, fileURLToPath(new URL('hung-mount.c', import.meta.url))])
  return program
}

/** Runs shell lines and then a command in a mount namespace of its own; `unshare` gives one who is not root a user namespace for that. */
export function startSecluded(
  lines: readonly string[],
  command: readonly string[],
  options: { cwd: string; environment?: Readonly<Record<string, string>> },
): Secluded {
  const isRoot = process.getuid?.() === 0
  const words = [isRoot ? '-m' : '-Urm', 'sh', '-ec', `${lines.join('\n')}\nexec "$@"`, 'sh', ...command]
  const child = spawn('unshare', words, {
    cwd: options.cwd,
    env: { ...process.env, HOME: options.cwd, ...options.environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return {
    process: child,
    errors: () => errors,
    ended: new Promise((resolve) => child.on('exit', resolve)),
  }
}

/** Quotes a word for a shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
