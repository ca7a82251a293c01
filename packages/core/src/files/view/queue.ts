import type { Cancel, Clock } from '../../api/index.ts'
import { type AppError, defined, toAppError } from '../../errors.ts'

/** Measures bytes per second over the last seconds. Times are epoch ms. */
interface Pace {
  add(bytes: number, at: number): void
  rate(at: number): number | null
  readonly lastAt: number
}

const windowMs = 5000
const pieceMs = 250

function createPace(startedAt: number): Pace {
  let pieces: { at: number; bytes: number }[] = []
  let lastAt = startedAt
  return {
    get lastAt() {
      return lastAt
    },
    add(bytes, at) {
      lastAt = at
      const newest = pieces.at(-1)
      if (newest && at - newest.at < pieceMs) newest.bytes += bytes
      else pieces.push({ at, bytes })
      pieces = pieces.filter((piece) => at - piece.at <= windowMs)
    },
    rate(at) {
      const recent = pieces.filter((piece) => at - piece.at <= windowMs)
      const since = Math.max(startedAt, at - windowMs)
      if (at - since < pieceMs || recent.length === 0) return null
      return (recent.reduce((sum, { bytes }) => sum + bytes, 0) / (at - since)) * 1000
    },
  }
}

export type TransferState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Sizes in bytes; `size` is null until known. */
export interface Transfer {
  readonly id: number
  readonly direction: 'download' | 'upload'
  readonly name: string
  readonly path: string
  readonly size: number | null
  readonly moved: number
  readonly state: TransferState
  readonly error: AppError | null
  readonly result: string | null
}

export interface TransferReport {
  size(bytes: number): void
  moved(bytes: number): void
}

/** `work` transfers the file until `signal` aborts, and may be called again to retry. */
export interface TransferRequest {
  readonly direction: Transfer['direction']
  readonly name: string
  readonly path: string
  readonly size: number | null
  work(report: TransferReport, signal: AbortSignal): Promise<string | null>
}

/** `done`: successful transfers. `rate` in bytes per second; `leftMs` is null if unknown. */
export interface QueueTotal {
  readonly count: number
  readonly done: number
  readonly size: number | null
  readonly moved: number
  readonly rate: number | null
  readonly leftMs: number | null
}

/** Transfers of one server, one after the other: an agent’s stream carries one. */
export interface TransferQueue {
  /** The same array until something changes. */
  list(): readonly Transfer[]
  add(requests: readonly TransferRequest[]): readonly number[]
  /** Removes a waiting transfer, or aborts a running one. */
  cancel(id: number): void
  cancelAll(): void
  retry(id: number): void
  /** Retries all failed transfers; if none failed, all canceled ones. */
  retryAll(): void
  clear(): void
  isBusy(): boolean
  total(now: number): QueueTotal
  /** `rate` in bytes per second; null if unknown. `stalled`: nothing has moved for 15 s (behavior N-14). */
  pace(id: number, now: number): { rate: number | null; leftMs: number | null; stalled: boolean }
  subscribe(listener: () => void): () => void
}

export const canRetry = ({ state }: Transfer): boolean => state === 'failed' || state === 'cancelled'

/** Whether a failed upload left part of the file on the server, and the error doesn’t say so itself. */
export const leftPart = ({ direction, moved, error }: Transfer): boolean =>
  error !== null && error.code !== 'fileIncomplete' && direction === 'upload' && moved > 0

export const stalledMs = 15_000

const drawMs = 250

/** Calls `draw` after changes of the queue, and while it is busy, at most every quarter second. */
export function watchTransfers(
  queue: Pick<TransferQueue, 'isBusy' | 'subscribe'>,
  { setTimer }: Pick<Clock, 'setTimer'>,
  draw: () => void,
): Cancel {
  let cancel: Cancel | null = null
  const drawSoon = () => {
    cancel ??= setTimer(
      () => {
        cancel = null
        draw()
        if (queue.isBusy()) drawSoon()
      },
      queue.isBusy() ? drawMs : 0,
    )
  }
  const stop = queue.subscribe(drawSoon)
  if (queue.isBusy()) drawSoon()
  return () => {
    stop()
    cancel?.()
  }
}

interface Job {
  request: TransferRequest
  shown: Transfer
  pace: Pace | null
  abort: AbortController | null
}

export function createTransferQueue({
  now,
  onEnd = () => undefined,
}: {
  now: () => number
  onEnd?: (transfer: Transfer) => void
}): TransferQueue {
  let jobs: readonly Job[] = []
  let shown: readonly Transfer[] = []
  let nextId = 1
  let isRunning = false
  const listeners = new Set<() => void>()

  const tell = () => {
    shown = jobs.map((job) => job.shown)
    for (const listener of listeners) listener()
  }
  const change = (job: Job, part: Partial<Transfer>) => {
    job.shown = { ...job.shown, ...part }
    tell()
  }
  const find = (id: number) => jobs.find((job) => job.shown.id === id)

  const run = async (job: Job) => {
    const abort = new AbortController()
    const pace = createPace(now())
    job.abort = abort
    job.pace = pace
    change(job, { state: 'running', moved: 0, error: null, result: null })
    const report: TransferReport = {
      size: (size) => change(job, { size }),
      moved(bytes) {
        if (bytes === 0) return
        pace.add(bytes, now())
        change(job, { moved: job.shown.moved + bytes })
      },
    }
    try {
      const result = await job.request.work(report, abort.signal)
      change(job, { state: 'done', result })
    } catch (thrown) {
      if (abort.signal.aborted) change(job, { state: 'cancelled' })
      else change(job, { state: 'failed', error: toAppError(thrown) })
    }
    job.abort = null
    onEnd(job.shown)
  }
  const runAll = async () => {
    if (isRunning) return
    isRunning = true
    for (let next = waiting(); next; next = waiting()) await run(next)
    isRunning = false
    tell()
  }
  const waiting = () => jobs.find(({ shown: { state } }) => state === 'waiting')
  const cancel = (job: Job) => {
    if (job.shown.state === 'waiting') change(job, { state: 'cancelled' })
    else job.abort?.abort()
  }
  const again = (some: readonly Job[]) => {
    for (const job of some.filter((one) => canRetry(one.shown)))
      change(job, { state: 'waiting', moved: 0, error: null })
    void runAll()
  }
  const left = (moved: number, size: number | null, rate: number | null) =>
    size === null || rate === null || rate <= 0 ? null : (Math.max(0, size - moved) / rate) * 1000

  return {
    list: () => shown,
    add(requests) {
      const added = requests.map((request): Job => {
        const { direction, name, path, size } = request
        const id = nextId++
        const begun: Transfer = {
          id,
          direction,
          name,
          path,
          size,
          moved: 0,
          state: 'waiting',
          error: null,
          result: null,
        }
        return { request, shown: begun, pace: null, abort: null }
      })
      jobs = [...jobs, ...added]
      tell()
      void runAll()
      return added.map((job) => job.shown.id)
    },
    cancel(id) {
      const job = find(id)
      if (job) cancel(job)
    },
    cancelAll() {
      // The waiting ones first, so that none starts when the running one ends.
      for (const job of jobs.filter(({ shown: { state } }) => state === 'waiting')) cancel(job)
      for (const job of jobs) cancel(job)
    },
    retry(id) {
      const job = find(id)
      if (job) again([job])
    },
    retryAll() {
      const failed = jobs.filter(({ shown: { state } }) => state === 'failed')
      again(failed.length > 0 ? failed : jobs)
    },
    clear() {
      jobs = jobs.filter(({ shown: { state } }) => state === 'waiting' || state === 'running')
      tell()
    },
    isBusy: () => jobs.some(({ shown: { state } }) => state === 'waiting' || state === 'running'),
    total(at) {
      const counted = jobs.filter(({ shown: { state } }) => state !== 'cancelled')
      const moved = counted.reduce((sum, job) => sum + job.shown.moved, 0)
      const isKnown = counted.every((job) => job.shown.size !== null)
      const size = isKnown ? counted.reduce((sum, job) => sum + defined(job.shown.size), 0) : null
      const rate = jobs.find(({ shown: { state } }) => state === 'running')?.pace?.rate(at) ?? null
      const done = counted.filter(({ shown: { state } }) => state === 'done').length
      return { count: counted.length, done, size, moved, rate, leftMs: left(moved, size, rate) }
    },
    pace(id, at) {
      const job = find(id)
      if (job?.shown.state !== 'running' || !job.pace) return { rate: null, leftMs: null, stalled: false }
      const rate = job.pace.rate(at)
      const { moved, size } = job.shown
      return { rate, leftMs: left(moved, size, rate), stalled: at - job.pace.lastAt >= stalledMs }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
