import { parentPort, workerData } from 'node:worker_threads'
import { type Answer, type Call, pack } from './history/protocol.ts'
import { openHistoryFile } from './history/sqlite.ts'
import type { HistoryStore } from './history/store.ts'

/** The thread that holds the history file; `workerData.file` is its path. */
const port = parentPort!
const { file } = workerData as { file: string }
let opening: Promise<HistoryStore> | null = null

/** Tried again with each call until it can be opened: a disk may be full for a while. */
function opened(): Promise<HistoryStore> {
  opening ??= openHistoryFile(file).catch((error: unknown) => {
    opening = null
    throw error
  })
  return opening
}

async function perform({ id, name, args }: Call): Promise<void> {
  const answer: Answer = { id }
  const moved: ArrayBuffer[] = []
  try {
    if (name === 'close') {
      const store = await opening?.catch(() => null)
      await store?.close()
    } else if (name === 'read') {
      const { stepMs, series } = await (await opened()).read(...args)
      const packed = series.map(pack)
      answer.result = { stepMs, series: packed }
      moved.push(...packed.map(({ numbers }) => numbers.buffer as ArrayBuffer))
    } else {
      const store = await opened()
      answer.result = await (store[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args)
    }
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error)
  }
  port.postMessage(answer, moved)
  if (name === 'close') port.close()
}

port.on('message', (call: Call) => void perform(call))
