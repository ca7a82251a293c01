import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The shipped agent as a process of its own, reporting for this machine. */
export interface RealAgent {
  readonly process: ChildProcess
  stop(): Promise<void>
}

/** Starts the agent; it keeps nothing on disk because its identity is given. */
export function startRealAgent(options: {
  program: string
  port: number
  secret: string
  uuid: string
  folder: string
}): RealAgent {
  const { program, port, secret, uuid, folder } = options
  const args = [program, '--server', `127.0.0.1:${port}`, '--secret', secret, '--uuid', uuid]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
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
