import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { admin } from '../support/world.ts'

/** How the terminal UI is started. */
export interface ScreenOptions {
  /** Path of qd.cjs. */
  readonly qd: string
  readonly url: string
  readonly columns?: number
  readonly rows?: number
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A home of before, so that what was remembered is there. */
  readonly home?: string
  /** Started by a shell with job control. */
  readonly inShell?: boolean
  /** False: nobody is signed in. */
  readonly signedIn?: boolean
}

/** The real `qd` in a real pseudo-terminal, seen through a terminal emulator. */
export interface Screen {
  readonly pid: number
  readonly home: string
  /** Rows of the screen without blanks at their ends. */
  rows(): string[]
  text(): string
  /** Bytes written so far, and all of them as text. */
  written(): string
  /** True while the program draws on the alternate screen. */
  isAlternate(): boolean
  cell(
    row: number,
    column: number,
  ): { text: string; bold: boolean; dim: boolean; foreground: number; background: number }
  /** Types keys, with a pause after each as a person makes. */
  press(...keys: readonly (keyof typeof keyBytes | (string & {}))[]): Promise<void>
  /** Text in one go, as a paste without brackets; or bytes as they are. */
  send(text: string | Buffer): void
  resize(columns: number, rows: number): void
  /** Waits until the screen shows the text or meets the test; returns the screen. */
  shows(what: string | RegExp | ((rows: string[]) => boolean), timeoutMs?: number): Promise<string>
  /** Waits until what was written from there on meets the test; without looking at the screen, so that times can be taken. */
  writes(meets: (text: string) => boolean, from: number): Promise<void>
  /** How the program ended. */
  readonly ended: Promise<{ code: number; signal: number | undefined }>
  kill(signal: string): void
  /** Takes the terminal away, as closing its window does. */
  hangUp(): void
  close(): Promise<void>
}

/** What terminals send for named keys. */
const keyBytes = {
  Enter: '\r',
  Tab: '\t',
  'Shift+Tab': '\u001b[Z',
  Escape: '\u001b',
  ArrowDown: '\u001b[B',
  ArrowUp: '\u001b[A',
  ArrowRight: '\u001b[C',
  Backspace: '\u007f',
  End: '\u001b[F',
  Home: '\u001b[H',
  PageDown: '\u001b[6~',
  PageUp: '\u001b[5~',
  'Shift+ArrowDown': '\u001b[1;2B',
  Space: ' ',
  'Ctrl+c': '\u0003',
  'Ctrl+k': '\u000b',
  'Ctrl+l': '\u000c',
  'Ctrl+s': '\u0013',
  'Ctrl+y': '\u0019',
  'Ctrl+z': '\u001a',
} as const

const defaultWaitMs = 25_000
const lookEveryMs = 20
/** A shell that can stop and continue a program: after a stop it waits for a line, then continues it. */
const jobControl = 'set -m; "$@"; echo stopped; read; fg %1 >/dev/null'
/** Longer than the escape byte waits for the rest of a sequence. */
const afterEscapeMs = 120

/** Starts `qd` without a command. Close it after the test. */
export function startScreen(options: ScreenOptions): Screen {
  const { qd, url, columns = 80, rows = 24, args = [], env = {}, signedIn = true } = options
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'qd-screen-'))
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200 })
  const command = [process.execPath, qd, ...args]
  const [program = '', ...words] = options.inShell ? ['bash', '-c', jobControl, 'qd', ...command] : command
  const child = spawn(program, words, {
    cols: columns,
    rows,
    cwd: home,
    name: 'xterm-256color',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      CI: 'false',
      QD_URL: url,
      QD_CONFIG: join(home, 'config.json'),
      ...(signedIn ? { QD_USER: admin.username, QD_PASSWORD: admin.password } : {}),
      ...env,
    },
  })
  let written = ''
  let pending = 0
  const waiting = new Set<() => void>()
  child.onData((data) => {
    written += data
    for (const look of waiting) look()
    pending += 1
    terminal.write(data, () => {
      pending -= 1
    })
  })
  let isOver = false
  const ended = new Promise<{ code: number; signal: number | undefined }>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      isOver = true
      resolve({ code: exitCode, signal })
    })
  })
  const read = () => {
    const { active } = terminal.buffer
    return Array.from({ length: terminal.rows }, (_, row) =>
      active
        .getLine(active.baseY + row)!
        .translateToString(true)
        .trimEnd(),
    )
  }
  const screen: Screen = {
    pid: child.pid,
    home,
    rows: read,
    text: () => read().join('\n'),
    written: () => written,
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    cell(row, column) {
      const cell = terminal.buffer.active.getLine(row)!.getCell(column)!
      return {
        text: cell.getChars(),
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
        foreground: cell.isFgDefault() ? -1 : cell.getFgColor(),
        background: cell.isBgDefault() ? -1 : cell.getBgColor(),
      }
    },
    async press(...keys) {
      for (const key of keys) {
        child.write(keyBytes[key as keyof typeof keyBytes] ?? key)
        await pause(key === 'Escape' ? afterEscapeMs : 10)
      }
    },
    // The library takes bytes too, which its types leave out.
    send: (text) => (child as unknown as { write(data: string | Buffer): void }).write(text),
    resize(width, height) {
      terminal.resize(width, height)
      child.resize(width, height)
    },
    async shows(what, timeoutMs = defaultWaitMs) {
      const meets = (lines: string[]) => {
        if (typeof what === 'function') return what(lines)
        const text = lines.join('\n')
        return typeof what === 'string' ? text.includes(what) : what.test(text)
      }
      const deadline = Date.now() + timeoutMs
      while (pending > 0 || !meets(read())) {
        if (Date.now() > deadline) throw new Error(`the screen never showed ${String(what)}:\n${read().join('\n')}`)
        await pause(lookEveryMs)
      }
      return read().join('\n')
    },
    writes: (meets, from) =>
      new Promise((resolve) => {
        const look = () => {
          if (!meets(written.slice(from))) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    ended,
    kill: (signal) => child.kill(signal),
    // The library has it for its own use, and leaves it out of its types.
    hangUp: () => (child as unknown as { destroy(): void }).destroy(),
    async close() {
      if (!isOver) child.kill('SIGKILL')
      await ended
      terminal.dispose()
      if (options.home === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
  return screen
}

/** Waits a little; only between looks at a condition, or between keys. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
