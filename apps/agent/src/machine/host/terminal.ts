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

/** Loaded with the first terminal, so that an agent that opens no terminal never loads it. */
const loadModule = () =>
  import('@lydell/node-pty').catch(() => {
    throw new Error('this agent was installed without its terminal module (@lydell/node-pty)')
  })

/** Whether the process, or for a negative number the group, could be signalled; 0 only asks. */
const signal = (target: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(target, name)
  } catch {
    return false
  }
}

/** Process group of the job in the foreground of a shell; the shell's own group if the system does not say, or if no job has begun. */
const foregroundGroup = (shell: number): number => {
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, 'utf8')
    const [, session, group] = /\) \S -?\d+ -?\d+ (\d+) -?\d+ (\d+)/.exec(stat) ?? []
    return Number(session) === shell ? Number(group) : shell
  } catch {
    return shell
  }
}

/** Processes left after a hang-up get SIGKILL after this many milliseconds: on a busy machine a shell needs time to end its jobs. */
const graceMs = 3000
/** Shells say so of a command that a signal ended. */
const killedBy = 128
/** How often the agent checks whether the shell of a paused terminal still runs. */
const lookMs = 50

/** The library's terminal without an encoding: bytes both ways, which its own types leave out. */
interface RawTerminal extends Pick<IPty, 'pid' | 'onExit' | 'resize' | 'pause' | 'resume' | 'kill'> {
  onData(listener: (chunk: Uint8Array) => void): void
  write(bytes: Uint8Array): void
  /** Path of the shell's end; not on Windows. */
  ptsName?: string
}

const open = new Set<() => void>()
process.once('exit', () => {
  for (const kill of open) kill()
})

/** Starts the shell of this host; see `Machine.openTerminal`. */
export const openTerminal = async (size: TerminalSize, onOutput: (chunk: Uint8Array) => void): Promise<Terminal> => {
  const { spawn } = await loadModule()
  const env = { ...ownEnvironment(), TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'Nezha' }
  const options = { ...size, env, cwd: process.cwd(), encoding: null }
  const pty = spawn(findShell(process.env.PATH ?? ''), [], options) as unknown as RawTerminal
  // The kernel drops unread output when the last process closes the shell's end, so the agent keeps that end open too.
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
  let look: NodeJS.Timeout | undefined
  const resume = () => {
    clearInterval(look)
    look = undefined
    pty.resume()
  }
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      clearInterval(look)
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
      // The library closes a terminal 200 ms after its shell has ended; the remaining output must be read by then.
      look ??= setInterval(() => signal(pty.pid, 0) || resume(), lookMs)
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
