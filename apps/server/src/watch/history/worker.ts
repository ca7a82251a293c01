import type { Worker } from 'node:worker_threads'
import { createThread } from '../../kernel/thread.ts'
import { type Answer, type PackedFound, unpack } from './protocol.ts'
import type { HistoryStore } from './store.ts'

/** Without limits a thread that makes much short-lived data takes memory as if it were alone on the machine; in MiB. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1024 }

/** The history of a file, held by a thread of its own. The thread starts with the first call, and again with the first after it died. */
export function createHistoryWorker(file: string): HistoryStore {
  let worker: Worker | null = null
  let count = 0
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()

  function start(): Worker {
    const started = createThread('history', { file }, resourceLimits)
    started.on('message', ({ id, result, error }: Answer) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) started.unref()
      if (error === undefined) call?.resolve(result)
      else call?.reject(new Error(error))
    })
    const gone = (why: Error) => {
      if (worker === started) worker = null
      for (const [id, { reject }] of waiting) {
        waiting.delete(id)
        reject(why)
      }
    }
    started.on('error', gone)
    started.on('exit', () => gone(new Error('the history thread exited')))
    return started
  }

  function call<T>(name: keyof HistoryStore, args: readonly unknown[] = [], moved: ArrayBuffer[] = []): Promise<T> {
    worker ??= start()
    worker.ref()
    const id = ++count
    const { promise, resolve, reject } = withResolvers<T>()
    waiting.set(id, { resolve: resolve as (result: unknown) => void, reject })
    worker.postMessage({ id, name, args }, moved)
    return promise
  }

  return {
    write: (batch) =>
      call('write', [batch], [batch.figures.numbers.buffer as ArrayBuffer, batch.results.buffer as ArrayBuffer]),
    async read(query) {
      const { stepMs, series } = await call<PackedFound>('read', [query])
      return { stepMs, series: series.map(unpack) }
    },
    sums: () => call('sums'),
    tidied: () => call('tidied'),
    async close() {
      if (worker) await call('close')
      worker = null
    },
  }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
