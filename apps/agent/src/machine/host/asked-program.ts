import { type ChildProcess, spawn } from 'node:child_process'
import { ownEnvironment } from './environment.ts'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Runs a program that is asked for something; `ended` resolves with what it printed when it ends, and rejects if it couldn’t start or was
 * killed. It goes with the agent.
 */
export const startAsking = (file: string, args: readonly string[]): { ended: Promise<string>; kill(): void } => {
  const env = { ...ownEnvironment(), LC_ALL: 'C' }
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  running.add(child)
  let output = ''
  // There is none where the system has no descriptor left; then `error` comes.
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.on('close', (_code, signal) => {
      running.delete(child)
      if (signal) reject(new Error(`${file} was terminated by ${signal}`))
      else resolve(output)
    })
  })
  ended.catch(() => undefined)
  return { ended, kill: () => void child.kill('SIGKILL') }
}
