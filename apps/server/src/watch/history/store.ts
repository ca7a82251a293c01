import { firstItem } from '@qd/core/errors'
import { excluded } from '../../store/db/columns.ts'
import type { HistoryDb, HistorySumsTable } from '../../store/db/schema.ts'
import { reasonOf } from '../../store/db/storage.ts'
import { createOrder } from '../../store/records/commit.ts'
import { decodeStep, encodeStep } from './codec.ts'
import { type OpenFigures, toStep } from './figures.ts'
import { createReader, type Found, type OpenSeries, type OpenStep, type ReadQuery } from './read.ts'
import { foldRows, type SeriesSteps, scalesOf } from './rows.ts'
import { type OpenResults, toSteps } from './services.ts'
import { type Keep, rollUp, rowMs, rowStart, type Step, spans, tiers } from './steps.ts'

export interface Batch {
  /** Start of the step, epoch ms. */
  at: number
  figures: OpenFigures
  results: OpenResults
  sums: readonly HistorySumsTable[]
  keep: Keep
  now: number
}

export interface Written {
  sizeBytes: number
  problem: string | null
  note?: string | null
}

export interface HistoryStore {
  /** Resolves when the step is stored. Older steps move into rows afterwards, in slices. */
  write(batch: Batch): Promise<Written>
  read(query: ReadQuery): Promise<Found>
  sums(): Promise<HistorySumsTable[]>
  tidied(): Promise<void>
  sizeBytes(): Promise<number>
  close(): Promise<void>
}

/** A store that is open, in history's thread. */
export interface OpenedHistory extends HistoryStore {
  /** What opening it lost, such as a damaged file. */
  readonly note: string | null
  /** Why what is written now would be lost; null while it wouldn't. */
  gone(): string | null
}

export interface Disk {
  sizeBytes(): Promise<number>
  /** Returns freed space to the disk; false if there is none left. */
  compact(): boolean
}

/** Maximum of buffered characters; beyond it the oldest steps are dropped. */
const maxWaiting = 32 * 1024 * 1024

interface Waiting {
  at: number
  data: string
  sums: readonly HistorySumsTable[]
}

const slice = 25

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

export async function openHistoryStore(db: HistoryDb, disk: Disk): Promise<HistoryStore> {
  const open = new Map<string, OpenSeries>()
  let tidying: Promise<void> | null = null
  let problem: string | null = null
  let isClosing = false
  const waiting: Waiting[] = []
  let lost = 0
  let sizeBytes = 0

  /** What is stored is stored, though its size can't be asked for. */
  async function measured(problem: string | null): Promise<Written> {
    sizeBytes = await disk.sizeBytes().catch(() => sizeBytes)
    return { sizeBytes, problem }
  }

  function forget(at: number) {
    for (const series of open.values()) series.steps = series.steps.filter((step) => step.at !== at)
  }

  async function writeWaiting(): Promise<string | null> {
    try {
      while (waiting.length > 0) {
        const { at, data, sums } = firstItem(waiting)
        await db.transaction().execute(async (handle) => {
          if (data !== '') await handle.insertInto('history_journal').values({ at, data }).execute()
          await putSums(handle, sums)
        })
        waiting.shift()
      }
      return null
    } catch (error) {
      while (waiting.length > 1 && waiting.reduce((sum, { data }) => sum + data.length, 0) > maxWaiting) {
        const oldest = waiting.shift()
        if (oldest) forget(oldest.at)
        lost += 1
      }
      const gone = lost > 0 ? `, ${lost} lost` : ''
      return `${reasonOf(error)}: ${waiting.length} data points queued${gone}`
    }
  }

  function remember(serviceId: number, serverId: number, step: OpenStep) {
    const key = `${serviceId}:${serverId}`
    const series = open.get(key) ?? { serviceId, serverId, steps: [] }
    series.steps.push(step)
    open.set(key, series)
  }
  for (const { at, data } of await db.selectFrom('history_journal').selectAll().orderBy('id').execute()) {
    for (const line of data.split('\n')) {
      const [service, server, text = ''] = line.split(':')
      remember(Number(service), Number(server), { at: Number(at), text })
    }
  }

  /** One call at a time, for consistent reads. */
  const exclusive = createOrder()

  async function tidy({ at, keep, now }: Batch): Promise<void> {
    const current = rowStart(0, at)
    const isPast = (step: OpenStep) => rowStart(0, step.at) !== current
    const past = [...open.values()].filter(({ steps }) => steps.some(isPast))
    if (past.length === 0) return
    const done = new Set(past.flatMap(({ steps }) => steps.filter(isPast).map((step) => step.at)))
    for (let from = 0; from < past.length && !isClosing; from += slice) {
      await exclusive(() => store(past.slice(from, from + slice), isPast))
      await turn()
    }
    if (isClosing) return
    await exclusive(() =>
      db
        .deleteFrom('history_journal')
        .where('at', 'in', [...done])
        .execute(),
    )
    for await (const _ of clean(db, { keep, now, exclusive, compact: disk.compact })) {
      await turn()
      if (isClosing) return
    }
  }

  async function store(series: readonly OpenSeries[], isPast: (step: OpenStep) => boolean): Promise<void> {
    const ready = series.map(({ serviceId, serverId, steps }): SeriesSteps => {
      const scales = scalesOf(serviceId)
      const known = steps.filter(isPast).map(({ at, text }) => decodeStep(text, at, scales))
      return { serviceId, serverId, steps: rollUp(known, tiers[0].stepMs) }
    })
    await db.transaction().execute(async (handle) => {
      const fresh = await foldRows(handle, 0, ready)
      for (const tier of [1, 2]) await foldRows(handle, tier, fresh)
    })
    for (const { serviceId, serverId, steps } of series) {
      const left = steps.filter((step) => !isPast(step))
      const key = `${serviceId}:${serverId}`
      if (left.length === 0) open.delete(key)
      else open.set(key, { serviceId, serverId, steps: left })
    }
  }

  return {
    async write(batch) {
      const steps = [...stepsOf(batch)]
      const failure = await exclusive(async () => {
        const lines = steps.map(({ serviceId, serverId, step }) => {
          const text = encodeStep(step, scalesOf(serviceId))
          remember(serviceId, serverId, { at: step.at, text })
          return `${serviceId}:${serverId}:${text}`
        })
        if (lines.length > 0 || batch.sums.length > 0)
          waiting.push({ at: batch.at, data: lines.join('\n'), sums: batch.sums })
        return writeWaiting()
      })
      if (failure !== null) return measured(failure)
      tidying ??= tidy(batch)
        .then(
          () => null,
          (error: Error) => error.message,
        )
        .then((result) => {
          problem = result
          tidying = null
        })
      return measured(problem)
    },
    read: (query) => exclusive(() => createReader(db, open, turn)(query)),
    sums: () => exclusive(() => db.selectFrom('history_sums').selectAll().execute()),
    tidied: async () => {
      while (tidying) await tidying
    },
    sizeBytes: disk.sizeBytes,
    async close() {
      isClosing = true
      await tidying
      await exclusive(async () => {})
    },
  }
}

function* stepsOf({ at, figures, results }: Batch): Generator<{ serviceId: number; serverId: number; step: Step }> {
  for (const [row, serverId] of figures.ids.entries())
    yield { serviceId: 0, serverId, step: toStep(figures.numbers, row, at) }
  yield* toSteps(results, at)
}

const insertRows = 500

async function putSums(db: HistoryDb, sums: readonly HistorySumsTable[]): Promise<void> {
  for (let from = 0; from < sums.length; from += insertRows) {
    await db
      .insertInto('history_sums')
      .values(sums.slice(from, from + insertRows))
      .onConflict((conflict) =>
        conflict.columns(['service_id', 'span_ms', 'slot']).doUpdateSet(excluded('up', 'down', 'delay')),
      )
      .execute()
  }
}

const deletedAtOnce = 200

/** Deletes expired history; each turn of the loop is a slice. */
async function* clean(
  db: HistoryDb,
  parts: {
    keep: Keep
    now: number
    exclusive<T>(work: () => Promise<T>): Promise<T>
    compact(): boolean
  },
): AsyncGenerator<void> {
  const { keep, now, exclusive, compact } = parts
  for (const tier of tiers.keys()) {
    const before = now - keep[tier]! - rowMs(tier)
    const some = db
      .selectFrom('history_rows')
      .select('id')
      .where('tier', '=', tier)
      .where('at', '<', before)
      .limit(deletedAtOnce)
    for (;;) {
      const [result] = await exclusive(() => db.deleteFrom('history_rows').where('id', 'in', some).execute())
      yield
      if (Number(result?.numDeletedRows ?? 0) < deletedAtOnce) break
    }
  }
  for (const { ms, kept } of Object.values(spans)) {
    const before = Math.floor(now / ms) - kept - 1
    await exclusive(() => db.deleteFrom('history_sums').where('span_ms', '=', ms).where('slot', '<', before).execute())
    yield
  }
  while (await exclusive(async () => compact())) yield
}
