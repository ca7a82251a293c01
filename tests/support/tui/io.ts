import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io, Output } from '../../../apps/tui/src/base/io.ts'

/** What a test may set; everything else is a pipe in an empty home. */
export interface TestIoOptions {
  args?: readonly string[]
  env?: Io['env']
  home?: string
  cwd?: string
  /** Lines that the person types, or the piped text. */
  input?: string
  /** Which streams are terminals. */
  terminal?: readonly ('stdin' | 'stdout' | 'stderr')[]
  columns?: number
  rows?: number
  colorDepth?: Output['colorDepth']
}

/** The outside world over buffers. */
export interface TestIo extends Io {
  written(): { stdout: string; stderr: string }
  /** What was started in the background. */
  readonly behind: readonly (readonly string[])[]
  /** Addresses that were shown in the browser. */
  readonly opened: readonly string[]
  /** Presses Ctrl+C. */
  interrupt(code?: number): void
  readonly exitCode: number | null
}

/** Builds one; time and chance are real, the process is not touched. */
export function createTestIo(options: TestIoOptions = {}): TestIo {
  const { args = [], env = {}, input = '', terminal = [], columns = 80, rows = 24, colorDepth = 0 } = options
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'qd-home-'))
  const texts = { stdout: '', stderr: '' }
  const lines = input === '' ? [] : input.replace(/\n$/, '').split('\n')
  let onInterrupt: ((code: number) => void) | null = null
  let exitCode: number | null = null
  const behind: (readonly string[])[] = []
  const opened: string[] = []
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTTY: terminal.includes(name),
    columns,
    rows,
    colorDepth,
    write(text) {
      texts[name] += text
    },
    async writeBytes(bytes) {
      texts[name] += String(Buffer.from(bytes))
    },
    flush: async () => undefined,
  })
  return {
    args,
    env,
    home,
    cwd: options.cwd ?? home,
    platform: 'linux',
    stdin: {
      isTTY: terminal.includes('stdin'),
      readAll: async () => input,
      saveTo: async (path) => writeFileSync(path, input),
      readLine: async () => lines.shift() ?? null,
    },
    stdout: output('stdout'),
    stderr: output('stderr'),
    libraries: {
      yaml: () => import('../../../apps/tui/src/base/yaml.ts'),
      jq: async () => (await import('../../../apps/tui/src/base/jq.ts')).jq,
    },
    unicode: true,
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onInterrupt(run) {
      onInterrupt = run
      return () => {
        onInterrupt = null
      }
    },
    onExit: () => () => undefined,
    behind,
    opened,
    async openInBrowser(address) {
      if (!env.DISPLAY) return false
      opened.push(address)
      return true
    },
    startBehind: async (words) => void behind.push(words),
    runInFront: async (words) => {
      behind.push(words)
      return 0
    },
    exit(code) {
      exitCode = code
    },
    written: () => ({ ...texts }),
    interrupt: (code = 130) => onInterrupt?.(code),
    get exitCode() {
      return exitCode
    },
  }
}
