import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@qd/core/errors'
import type { Io } from './io.ts'

/** The command of the server’s packages. */
const program = 'quarterdeck'
const stopWithinMs = 5000

export interface DemoServer {
  /**
   * Resolves with the environment for a `qd` that connects to it and knows no other server; null if it was stopped
   * before. Errors: `usage` if no server is installed, `failed` if it doesn’t start.
   */
  readonly ready: Promise<Io['env'] | null>
  readonly folder: string
  /** Ends it and deletes its data. */
  stop(): Promise<void>
}

/** Starts a demo of the installed server, on a port of its own and in a temporary folder. */
export function startDemoServer({ env, setTimer, onExit }: Pick<Io, 'env' | 'setTimer' | 'onExit'>): DemoServer {
  const folder = mkdtempSync(join(tmpdir(), 'qd-demo-'))
  const password = randomBytes(18).toString('base64url')
  // The server’s own settings aren’t the demo’s.
  const plain = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('QD_') && name !== 'DATABASE_URL'),
  )
  const server = spawn(program, ['--demo', '--port', '0', '--data', join(folder, 'data')], {
    env: { ...plain, QD_ADMIN_PASSWORD: password },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl+C and Ctrl+Z in the terminal aren’t for the server, and a wrapper ends together with what it started.
    detached: true,
    windowsHide: true,
  })
  const cleanUp = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // A second Ctrl+C doesn’t wait for the server.
  const stopListening = onExit(() => {
    killGroup(server, 'SIGKILL')
    cleanUp()
  })
  // The output closes when the last process of the group has ended.
  const ended = new Promise<void>((resolve) => void server.once('close', () => resolve()))
  let isStopped = false
  return {
    folder,
    ready: addressOf(server).then(
      (url) => ({
        ...plain,
        ...(env.QD_LANG && { QD_LANG: env.QD_LANG }),
        ...{ QD_CONFIG: join(folder, 'config.json'), QD_URL: url, QD_USER: 'admin', QD_PASSWORD: password },
      }),
      (thrown: unknown) => {
        if (isStopped) return null
        throw thrown
      },
    ),
    async stop() {
      isStopped = true
      killGroup(server, 'SIGTERM')
      const cancel = setTimer(() => {
        killGroup(server, 'SIGKILL')
        // Not held open by what left the group.
        for (const output of [server.stdout, server.stderr]) output?.destroy()
      }, stopWithinMs)
      await ended
      cancel()
      stopListening()
      cleanUp()
    },
  }
}

function killGroup(server: ChildProcess, signal: NodeJS.Signals): void {
  // Windows has no groups.
  if (process.platform === 'win32' || !server.pid) return void server.kill(signal)
  try {
    process.kill(-server.pid, signal)
  } catch {
    // All of it has ended.
  }
}

const maxErrorText = 2000

/** Resolves with the address that the server prints when it is ready. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    let wrong = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      wrong = (wrong + text).slice(-maxErrorText)
    })
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-maxErrorText)
      const ready = /^Quarterdeck is ready: (\S+)\/dashboard$/m.exec(said)
      if (ready) resolve(ready[1]!)
    })
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isMissing = cause.code === 'ENOENT'
      reject(
        isMissing
          ? new AppError('usage', { reason: 'noServerProgram', program, try: `${program} --demo` }, { cause })
          : new AppError('failed', { text: `${program}: ${cause.message}` }, { cause }),
      )
    })
    server.once('exit', () => reject(new AppError('failed', { text: `${program}: ${wrong.trim()}` })))
  })
}
