import { fileURLToPath } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/** Threads don't inherit tsx. */
const fromSource = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(require('node:worker_threads').workerData.program)
})`

/** Starts `NAME-worker`. A file of its own, because tests replace it (`tests/support/built-thread.ts`). */
export function createThread(name: string, data: object, resourceLimits?: WorkerOptions['resourceLimits']): Worker {
  const program = new URL(isSource ? `../../${name}-worker.ts` : `./${name}-worker.js`, import.meta.url)
  const options = { workerData: { ...data, program: program.href }, ...(resourceLimits && { resourceLimits }) }
  return isSource ? new Worker(fromSource, { eval: true, ...options }) : new Worker(fileURLToPath(program), options)
}
