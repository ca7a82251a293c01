import type { Worker } from 'node:worker_threads'
import { AppError } from '@qd/core/errors'
import { isHeldAt } from '../../store/db/postgres-pool.ts'
import { type Answer, type HistoryPlace, type PackedFound, unpack } from './protocol.ts'
import type { HistoryStore } from './store.ts'
import { createThread } from './thread.ts'

/** In MiB. Without limits, a thread with much short-lived data grows as if it were alone on the host. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1024 }

/** History in a thread of its own, started by the first call, also after a crash. */
export function createHistoryWorker(place: HistoryPlace): HistoryStore {
  let worker: Worker | null = null
  let count = 0
  const isAway = () => 'held' in place && !isHeldAt(place)
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()

  function start(): Worker {
    const started = createThread('history', { place }, resourceLimits)
    started.on('message', ({ id, result, error }: Answer) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) started.unref()
      if (error === undefined) call?.resolve(result)
      else call?.reject(errorOf(error))
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

  /** What the thread may be waiting for takes its time; nothing waits behind that. */
  const ask: typeof call = async (...given) => {
    if (isAway()) throw new AppError('databaseAway')
    return call(...given)
  }

  return {
    write: (batch) =>
      call('write', [batch], [batch.figures.numbers.buffer as ArrayBuffer, batch.results.buffer as ArrayBuffer]),
    async read(query) {
      const { stepMs, series } = await ask<PackedFound>('read', [query])
      return { stepMs, series: series.map(unpack) }
    },
    sums: () => ask('sums'),
    tidied: () => call('tidied'),
    sizeBytes: () => ask('sizeBytes'),
    async close() {
      // What it holds can't be stored, and a silent database confirms no end.
      if (worker) await (isAway() ? worker.terminate() : call('close'))
      worker = null
    },
  }
}

function errorOf({ reason, code }: NonNullable<Answer['error']>): Error {
  const cause = new Error(reason)
  return code === null ? cause : new AppError(code, {}, { cause })
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
