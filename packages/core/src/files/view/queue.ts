import { type AppError, defined, toAppError } from '../../errors/index.ts'

/** Bytes per second over the last seconds, and when bytes last moved. Times are epoch ms. */
interface Pace {
  add(bytes: number, at: number): void
  /** Null until there is something to reckon from. */
  rate(at: number): number | null
  readonly lastAt: number
}

/** How far back a rate looks. */
const windowMs = 5000
const pieceMs = 250

/** A pace that begins now. */
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

/** How a transfer stands. `cancelled`: by the person. */
export type TransferState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** One file on its way. Sizes in bytes; `size` is null until it is known. */
export interface Transfer {
  readonly id: number
  readonly direction: 'download' | 'upload'
  /** Name of the file at its end. */
  readonly name: string
  /** Where it goes to or comes from on the server. */
  readonly path: string
  readonly size: number | null
  readonly moved: number
  readonly state: TransferState
  readonly error: AppError | null
  /** What came of it, as the work answered it: a checksum, say. */
  readonly told: string | null
}

/** What the work of a transfer tells while it runs. */
export interface TransferReport {
  size(bytes: number): void
  /** So many more bytes are through. */
  moved(bytes: number): void
}

/** A transfer that is asked for. `work` does it: it ends when the signal fires, and answers what is worth telling. It may be run again. */
export interface TransferRequest {
  readonly direction: Transfer['direction']
  readonly name: string
  readonly path: string
  readonly size: number | null
  work(report: TransferReport, signal: AbortSignal): Promise<string | null>
}

/** All of a queue in one figure. `done`: those that arrived; what failed is none of them. `rate` in bytes per second; `leftMs` is null where it cannot be known. */
export interface QueueTotal {
  readonly count: number
  readonly done: number
  readonly size: number | null
  readonly moved: number
  readonly rate: number | null
  readonly leftMs: number | null
}

/** Files on their way to or from one server, one after the other: an agent's stream holds one. */
export interface TransferQueue {
  /** The same array until something changes. */
  list(): readonly Transfer[]
  add(requests: readonly TransferRequest[]): readonly number[]
  /** Takes one out of the queue, or ends it. */
  cancel(id: number): void
  cancelAll(): void
  /** From the start once more (behaviour W-28). */
  retry(id: number): void
  /** The same for everything that failed; where nothing failed, for everything that was cancelled. */
  retryAll(): void
  /** Forgets what is over. */
  clear(): void
  isBusy(): boolean
  total(now: number): QueueTotal
  /** Bytes per second of one, and what is left of it; null where not known. `stalled`: nothing has moved for 15 s (behaviour N-14). */
  pace(id: number, now: number): { rate: number | null; leftMs: number | null; stalled: boolean }
  subscribe(listener: () => void): () => void
}

/** It ended without the whole file, and can begin again. */
export const canRetry = ({ state }: Transfer): boolean => state === 'failed' || state === 'cancelled'

/** A failed upload that left a part of the file on the server, where the error does not say so itself. */
export const leftPart = ({ direction, moved, error }: Transfer): boolean =>
  error !== null && error.code !== 'fileIncomplete' && direction === 'upload' && moved > 0

/** A transfer without a byte for so long stands still. */
export const stalledMs = 15_000

interface Job {
  request: TransferRequest
  shown: Transfer
  pace: Pace | null
  abort: AbortController | null
}

/** Builds an empty queue. `onEnd` hears of each transfer that is over. */
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
    change(job, { state: 'running', moved: 0, error: null, told: null })
    const report: TransferReport = {
      size: (size) => change(job, { size }),
      moved(bytes) {
        if (bytes === 0) return
        pace.add(bytes, now())
        change(job, { moved: job.shown.moved + bytes })
      },
    }
    try {
      const told = await job.request.work(report, abort.signal)
      change(job, { state: 'done', told })
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
        const begun: Transfer = { id, direction, name, path, size, moved: 0, state: 'waiting', error: null, told: null }
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
      // Those that wait first, so that none of them begins when the running one ends.
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
