import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Seen from the sources and from the bundle alike. */
const isSource = import.meta.url.endsWith('.ts')

/** A thread knows no TypeScript of its own. */
const fromSource = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(require('node:worker_threads').workerData.program)
})`

/** Starts the program `NAME-worker` beside the main one in a thread of its own; `data` is its `workerData`. */
export function createThread(name: string, data: object, resourceLimits?: WorkerOptions['resourceLimits']): Worker {
  const program = new URL(isSource ? `../${name}-worker.ts` : `./${name}-worker.js`, import.meta.url)
  const options = { workerData: { ...data, program: program.href }, ...(resourceLimits && { resourceLimits }) }
  return isSource ? new Worker(fromSource, { eval: true, ...options }) : new Worker(fileURLToPath(program), options)
}
