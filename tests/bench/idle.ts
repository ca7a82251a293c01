import { spawn } from 'node:child_process'
import { once } from 'node:events'

const everyMs = 10
const script = `
const histogram = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${everyMs} })
histogram.enable()
process.on('message', () => {
  process.send(histogram.max)
  histogram.reset()
})`

/** A Node process that only waits: how late its event loop is, is what the machine costs whoever runs on it. */
export function startIdle(): { worst(): Promise<number>; close(): void } {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    /** Since the last question, in ms. */
    async worst() {
      child.send('')
      const [nanoseconds] = await once(child, 'message')
      return Math.max(0, nanoseconds / 1e6 - everyMs)
    },
    close: () => void child.kill(),
  }
}
