import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '@qd/core/errors'
import { reasonOf } from './store/db/storage.ts'
import { type Answer, type Call, type HistoryPlace, pack } from './watch/history/protocol.ts'
import type { Batch, OpenedHistory, Written } from './watch/history/store.ts'

const port = parentPort!
const place = (workerData as { place: HistoryPlace }).place
let opening: Promise<OpenedHistory> | null = null
let note: string | null = null
/** Steps received while it couldn't be opened, such as on a full disk. */
const held: Batch[] = []
/** About an hour; beyond it the oldest are dropped. */
const maxHeld = 120

async function open(): Promise<OpenedHistory> {
  if ('file' in place) return (await import('./watch/history/sqlite.ts')).openHistoryFile(place.file)
  return (await import('./watch/history/postgres.ts')).openHistoryDatabase(place)
}

/** Retried with each call: the disk may be full, or the database away, for a while. */
async function opened(): Promise<OpenedHistory> {
  const known = await opening
  const gone = known?.gone() ?? null
  if (known && gone !== null) {
    opening = null
    await known.close()
    note = gone
  }
  opening ??= open().then(
    (store) => {
      note ??= store.note
      return store
    },
    (error: unknown) => {
      opening = null
      throw error
    },
  )
  return opening
}

/** In order, so that each write stores its own step. */
let writing: Promise<unknown> = Promise.resolve()
function inTurn(batch: Batch): Promise<Written> {
  const result = writing.then(() => write(batch))
  writing = result.catch(() => {})
  return result
}

async function write(batch: Batch): Promise<Written> {
  // An empty retry must not push a real batch out.
  if (held.length === 0 || batch.figures.ids.length + batch.results.length + batch.sums.length > 0) held.push(batch)
  if (held.length > maxHeld) held.shift()
  const store = await opened()
  let written: Written | null = null
  while (held.length > 0) written = await store.write(held.shift()!)
  const noted = note
  note = null
  return { ...written!, note: noted }
}

async function perform({ id, name, args }: Call): Promise<void> {
  const answer: Answer = { id }
  const moved: ArrayBuffer[] = []
  try {
    // What was written before is read, also while opening takes its time.
    if (name !== 'write') await writing
    if (name === 'close') {
      const store = await opening?.catch(() => null)
      await store?.close()
    } else if (name === 'read') {
      const { stepMs, series } = await (await opened()).read(...args)
      const packed = series.map(pack)
      answer.result = { stepMs, series: packed }
      moved.push(...packed.map(({ numbers }) => numbers.buffer as ArrayBuffer))
    } else if (name === 'write') {
      answer.result = await inTurn(args[0])
    } else {
      const store = await opened()
      answer.result = await (store[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args)
    }
  } catch (error) {
    answer.error = { reason: reasonOf(error), code: error instanceof AppError ? error.code : null }
  }
  port.postMessage(answer, moved)
  if (name === 'close') port.close()
}

port.on('message', (call: Call) => void perform(call))
