import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { IPty } from '@lydell/node-pty'
import type { TerminalSize } from '@qd/protocol/stream-frames'
import type { Terminal } from '../machine.ts'
import { guardGroup, ownEnvironment } from './programs.ts'

const shells = process.platform === 'win32' ? ['powershell.exe', 'cmd.exe'] : ['zsh', 'fish', 'bash', 'sh']

const findShell = (path: string): string => {
  const folders = path.split(delimiter).filter(Boolean)
  const found = shells.flatMap((shell) => folders.map((folder) => join(folder, shell))).find(existsSync)
  if (!found) throw new Error(`no shell found on this host (${shells.join(', ')})`)
  return found
}

const loadModule = () =>
  import('@lydell/node-pty').catch(() => {
    throw new Error('this agent was installed without its terminal module (@lydell/node-pty)')
  })

/** Negative target: a group. Signal 0 only tests. */
const signal = (target: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(target, name)
  } catch {
    return false
  }
}

/** The foreground job’s group; the shell’s own if unknown. */
const foregroundGroup = (shell: number): number => {
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, 'utf8')
    const [, session, group] = /\) \S -?\d+ -?\d+ (\d+) -?\d+ (\d+)/.exec(stat) ?? []
    return Number(session) === shell ? Number(group) : shell
  } catch {
    return shell
  }
}

/** A shell needs time to end its jobs. */
const graceMs = 3000
const killedBy = 128
/** How often a paused terminal’s shell is checked. */
const checkMs = 50

/** Bytes both ways, which the library’s types lack. */
interface RawTerminal extends Pick<IPty, 'pid' | 'onExit' | 'resize' | 'pause' | 'resume' | 'kill'> {
  onData(listener: (chunk: Uint8Array) => void): void
  write(bytes: Uint8Array): void
  /** Not on Windows. */
  ptsName?: string
}

const open = new Set<() => void>()
process.once('exit', () => {
  for (const kill of open) kill()
})

export const openTerminal = async (
  size: TerminalSize,
  onOutput: (chunk: Uint8Array) => void,
  program?: readonly string[],
): Promise<Terminal> => {
  const { spawn } = await loadModule()
  const env = { ...ownEnvironment(), TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'Nezha' }
  const options = { ...size, env, cwd: process.cwd(), encoding: null }
  const [file, ...args] = program ?? [findShell(process.env.PATH ?? '')]
  const pty = spawn(file!, args, options) as unknown as RawTerminal
  // The kernel drops unread output at the last close of the shell’s end, so keep it open.
  const held = pty.ptsName ? openSync(pty.ptsName, constants.O_RDWR | constants.O_NOCTTY) : undefined
  const groups = () => new Set([pty.pid, foregroundGroup(pty.pid)])
  const signalAll = (to: Set<number>, name: NodeJS.Signals) => {
    for (const group of to) signal(-group, name)
  }
  const killNow = () => signalAll(groups(), 'SIGKILL')
  open.add(killNow)
  const letGo = guardGroup(pty.pid)
  pty.onData(onOutput)
  let isOver = false
  let checks: NodeJS.Timeout | undefined
  const resume = () => {
    clearInterval(checks)
    checks = undefined
    pty.resume()
  }
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      clearInterval(checks)
      isOver = true
      open.delete(killNow)
      letGo()
      if (held !== undefined) closeSync(held)
      resolve(signal ? killedBy + signal : exitCode)
    }),
  )
  return {
    ended,
    write: (bytes) => pty.write(bytes),
    resize({ cols, rows }) {
      if (!isOver) pty.resize(cols, rows)
    },
    pause() {
      pty.pause()
      // The library closes 200 ms after the shell’s end; the rest must be read by then.
      checks ??= setInterval(() => signal(pty.pid, 0) || resume(), checkMs)
    },
    resume,
    kill() {
      if (isOver) return
      if (process.platform === 'win32') return pty.kill()
      const all = groups()
      signalAll(all, 'SIGHUP')
      setTimeout(() => signalAll(all, 'SIGKILL'), graceMs).unref()
    },
  }
}
