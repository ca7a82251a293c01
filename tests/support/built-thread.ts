import { dirname, join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { serverProgram } from './programs.ts'

const folder = dirname(await serverProgram())

/** How many threads tests have started by it. */
export const started = { count: 0 }

/** Instead of `watch/history/thread.ts` in tests: starts the built program of a thread. From its sources it takes 1.1 s of CPU instead of 0.07. */
export function createThread(name: string, data: object, resourceLimits?: WorkerOptions['resourceLimits']): Worker {
  started.count += 1
  const options = { workerData: data, ...(resourceLimits && { resourceLimits }) }
  return new Worker(join(folder, `${name}-worker.js`), options)
}
