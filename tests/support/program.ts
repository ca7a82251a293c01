import { type ChildProcess, spawn } from 'node:child_process'
import { serverProgram } from './programs.ts'
import { databaseOf } from './test-database.ts'

const ownMain = await serverProgram()

/** The server as a program of its own, as it is shipped. */
export interface Program {
  readonly child: ChildProcess
  readonly output: { out: string; errors: string }
  /** The address of the ready line. Errors: rejects when the program ends before it. */
  ready(): Promise<string>
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>
}

/**
 * Starts the server with flags and environment of a test's choice; `descriptors` is how many files and connections the system lets
 * it have open, `main` another program than the server alone, `inside` words that start it elsewhere.
 */
export function startProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  {
    descriptors,
    main = ownMain,
    inside = [],
  }: { descriptors?: number; main?: string; inside?: readonly string[] } = {},
): Program {
  const { QD_DATA: _data, QD_PORT: _port, ...inherited } = process.env
  const command = [...inside, process.execPath, main, ...args]
  const bounded = ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`]
  const [file = '', ...words] = descriptors === undefined ? command : [...bounded, ...command]
  const folder = args[args.lastIndexOf('--data') + 1]
  const url = args.includes('--data') && !args.includes('--demo') ? databaseOf(folder!) : null
  const child = spawn(file, words, {
    env: { ...inherited, ...(url !== null && { DATABASE_URL: url }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', errors: '' }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.errors += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  return {
    child,
    output,
    ended,
    ready: () =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = /^Quarterdeck is ready: (\S+)\/dashboard$/m.exec(output.out)
          if (found) resolve(found[1]!)
        }
        child.stdout.on('data', look)
        look()
        void ended.then((code) => reject(new Error(`the server ended with ${code}: ${output.errors}`)))
      }),
  }
}
