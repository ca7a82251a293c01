import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The shipped agent as a process of its own, reporting for this machine. */
export interface RealAgent {
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** Starts the agent. Its identity is given, so it keeps nothing on disk unless the flags name a file. */
export function startRealAgent(options: {
  program: string
  port: number
  secret: string
  uuid: string
  folder: string
  /** More words of its command line. */
  flags?: readonly string[]
  environment?: Readonly<Record<string, string>>
}): RealAgent {
  const { program, port, secret, uuid, folder, flags = [], environment = {} } = options
  const args = [program, '--server', `127.0.0.1:${port}`, '--secret', secret, '--uuid', uuid, ...flags]
  // Without one, zsh asks a new user how to set it up.
  writeFileSync(join(folder, '.zshrc'), '')
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    // Shells must not begin with what the person at this machine has in their start files: it may wait for a minute.
    env: { ...process.env, HOME: folder, ...environment },
  })
  return {
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
