import type { SpawnOptions } from 'node:child_process'
import { homedir } from 'node:os'
import { isatty } from 'node:tty'
import type { Jq } from 'jq-wasm/inline'
import { type Output, standardError, standardOutput } from './streams.ts'

export type { Output } from './streams.ts'

export interface Input {
  readonly isTTY: boolean
  readAll(): Promise<string>
  saveTo(path: string): Promise<void>
  /** One line; null at the end of input. `secret` turns off the echo. */
  readLine(options: { secret: boolean }): Promise<string | null>
}

/** Slow libraries, which the build keeps in chunks of their own. */
export interface Libraries {
  yaml(): Promise<typeof import('./yaml.ts')>
  jq(): Promise<Jq>
}

interface InFront {
  env: Io['env']
  cwd: string
  /** Ends it. */
  signal: AbortSignal
}

/** The outside world of `qd`. No other file touches the process; tests supply buffers. */
export interface Io {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  readonly platform: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly libraries: Libraries
  /** Whether the locale can show more than ASCII. */
  readonly unicode: boolean
  now(): number
  random(): number
  setTimer(run: () => void, ms: number): () => void
  /**
   * Called once, for the first Ctrl+C, SIGTERM or SIGHUP, with its exit code; a second one ends the process. Ctrl+C in
   * a program that has the terminal is for that program. Returns the unsubscribe function.
   */
  onInterrupt(run: (code: number) => void): () => void
  /** Runs when the process ends, whatever ends it but SIGKILL. Returns the unsubscribe function. */
  onExit(run: () => void): () => void
  startBehind(args: readonly string[]): Promise<void>
  /** Runs another `qd` in this terminal; returns its exit code. */
  runInFront(args: readonly string[], options: InFront): Promise<number>
  /** Opens a page on the desktop; false if there is none, as in most SSH sessions. */
  openInBrowser(address: string): Promise<boolean>
  /** Ends the process after flushing. */
  exit(code: number): void
}

export function createIo(libraries: Libraries): Io {
  const { argv, env, platform } = process
  const args = argv.slice(2)
  const facts = { env, args }
  const stdout = standardOutput(facts)
  const stderr = standardError(facts)
  return {
    args,
    env,
    cwd: process.cwd(),
    home: homedir(),
    platform,
    stdin: { isTTY: isatty(0), readAll, saveTo, readLine },
    stdout,
    stderr,
    libraries,
    unicode: !args.includes('--ascii') && (platform === 'win32' || isUtf8(env)),
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onInterrupt,
    onExit: (run) => on('exit', run),
    startBehind,
    runInFront,
    openInBrowser: (address) => openInBrowser(address, facts.env, platform),
    exit: (code) => void Promise.allSettled([stdout.flush(), stderr.flush()]).then(() => process.exit(code)),
  }
}

type Environment = Io['env']

function isUtf8(env: Environment): boolean {
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
}

async function readAll(): Promise<string> {
  let text = rest
  rest = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

async function saveTo(path: string): Promise<void> {
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
}

let rest = ''

function readLine({ secret }: { secret: boolean }): Promise<string | null> {
  const { stdin, stderr } = process
  const raw = secret && stdin.isTTY === true
  return new Promise((resolve) => {
    let line = ''
    const done = (answer: string | null) => {
      stdin.off('data', take)
      stdin.off('end', end)
      if (raw) {
        stdin.setRawMode(false)
        stderr.write('\n')
      }
      stdin.pause()
      resolve(answer)
    }
    const end = () => done(line === '' ? null : line)
    const take = (chunk: string) => {
      const typed = rest + chunk
      for (const [index, character] of [...typed].entries()) {
        if (character === '\n' || character === '\r') {
          rest = [...typed]
            .slice(index + 1)
            .join('')
            .replace(/^\n/, '')
          return done(line)
        }
        if (raw && character === '\u0003') process.kill(process.pid, 'SIGINT')
        else if (raw && character === '\u0004') return done(null)
        else if (raw && (character === '\u007f' || character === '\b')) line = [...line].slice(0, -1).join('')
        else line += character
      }
      rest = ''
    }
    if (raw) stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.on('data', take)
    stdin.on('end', end)
    stdin.resume()
    if (rest !== '') take('')
  })
}

/** Set in single-file builds (scripts/build.mjs), where the program is the process’s own file. */
declare const IS_SINGLE_FILE: boolean | undefined

const ownWords = (args: readonly string[]): readonly string[] =>
  typeof IS_SINGLE_FILE === 'boolean' ? args : [process.argv[1] ?? '', ...args]

async function startBehind(args: readonly string[]): Promise<void> {
  const { spawn } = await import('node:child_process')
  spawn(process.execPath, ownWords(args), { detached: true, stdio: 'ignore' }).unref()
}

const runInFront = async (args: readonly string[], options: InFront): Promise<number> =>
  (await spawnInFront(process.execPath, ownWords(args), options)) ?? 1

/** Number of programs that have the terminal. */
let inFront = 0

/** Runs a program in this terminal. Returns its exit code; null if a signal ended it. Errors: rejects if it can’t be started. */
export async function spawnInFront(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number | null> {
  const { spawn } = await import('node:child_process')
  inFront += 1
  try {
    const child = spawn(program, args, { ...options, stdio: 'inherit' })
    return await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => options.signal?.aborted || reject(error))
      child.once('exit', resolve)
    })
  } finally {
    inFront -= 1
  }
}

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

async function openInBrowser(address: string, env: Environment, platform: string): Promise<boolean> {
  if (!(platform in openers) && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false
  const { spawn } = await import('node:child_process')
  const [program = 'xdg-open', ...words] = openers[platform] ?? []
  return new Promise((resolve) => {
    const opener = spawn(program, [...words, address], { detached: true, stdio: 'ignore' })
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => resolve(true))
    opener.unref()
  })
}

const interrupts = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

function onInterrupt(run: (code: number) => void): () => void {
  let asked = false
  return onSignals((code) => {
    if (asked) process.exit(code)
    asked = true
    if (process.stdin.isTTY) process.stdin.setRawMode(false)
    run(code)
  })
}

/** Ctrl+C in a program that has the terminal is for that program. Returns the unsubscribe function. */
const onSignals = (listen: (code: number) => void) =>
  all(
    Object.entries(interrupts).map(([signal, code]) =>
      on(signal, () => (signal === 'SIGINT' && inFront > 0) || listen(code)),
    ),
  )

function on(event: string, listen: (value: unknown) => void): () => void {
  process.on(event, listen)
  return () => void process.off(event, listen)
}

const all = (stops: readonly (() => void)[]) => () => {
  for (const stop of stops) stop()
}

/** The process as a full-screen program needs it. */
export interface ScreenHost {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  onEnd(listen: (code: number) => void): () => void
  onResize(listen: () => void): () => void
  onCrash(listen: (error: unknown) => void): () => void
  stop(): void
  soon(run: () => void): void
  /** Ignores signals and a closed terminal from now on; a second Ctrl+C ends at once. */
  holdOn(): void
  leave(code: number): void
}

export function createScreenHost(): ScreenHost {
  const { stdin, stdout } = process
  return {
    stdin,
    stdout,
    onEnd: onSignals,
    // Node doesn’t emit `resize` if the size is back to the old one.
    onResize: (listen) => on('SIGWINCH', () => listen()),
    onCrash: (listen) => all(['uncaughtException', 'unhandledRejection'].map((event) => on(event, listen))),
    // The whole job, as the terminal does it: a program that started this one would wait in front of the shell.
    stop: () => void process.kill(0, 'SIGTSTP'),
    soon: (run) => void setImmediate(run),
    holdOn() {
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
      process.on('SIGINT', () => process.exit(interrupts.SIGINT))
      for (const stream of [stdin, stdout, process.stderr]) stream.on('error', () => undefined)
    },
    leave: (code) => process.exit(code),
  }
}

/** Loads a package that must not see a variable of the environment. */
export async function withoutVariable<T>(name: string, load: () => Promise<T>): Promise<T> {
  const value = process.env[name]
  delete process.env[name]
  try {
    return await load()
  } finally {
    if (value !== undefined) process.env[name] = value
  }
}
