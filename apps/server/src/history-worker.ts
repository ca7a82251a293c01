import { parentPort, workerData } from 'node:worker_threads'
import { type Answer, type Call, pack } from './history/protocol.ts'
import { openHistoryFile } from './history/sqlite.ts'

/** The thread that holds the history file; `workerData.file` is its path. */
const port = parentPort!
const opening = openHistoryFile((workerData as { file: string }).file)

async function perform({ id, name, args }: Call): Promise<void> {
  const answer: Answer = { id }
  const moved: ArrayBuffer[] = []
  try {
    const store = await opening
    if (name === 'read') {
      const { stepMs, series } = await store.read(...args)
      const packed = series.map(pack)
      answer.result = { stepMs, series: packed }
      moved.push(...packed.map(({ numbers }) => numbers.buffer as ArrayBuffer))
    } else answer.result = await (store[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args)
  } catch (error) {
    answer.error = error instanceof Error ? error.message : String(error)
  }
  port.postMessage(answer, moved)
  if (name === 'close') port.close()
}

port.on('message', (call: Call) => void perform(call))
