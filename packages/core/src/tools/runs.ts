import { type ItemState, run, runStateOf } from '../resources/index.ts'
import { recordJson } from '../view/index.ts'
import type { Json, ToolCaller } from './tool.ts'

const pollMs = 300

export interface RunPart {
  readonly server_id: number
  readonly state: ItemState
  readonly exit_code: number | null
  readonly output: string
  readonly cut_bytes: number
  readonly duration_ms: number | null
}

/** Returns a run with its output when it is over, or after `seconds`. */
export async function waitedRun(
  caller: ToolCaller,
  id: number,
  seconds: number,
): Promise<{ isOver: boolean; parts: readonly RunPart[]; json: Json }> {
  const end = caller.now() + seconds * 1000
  for (;;) {
    const row = await caller.records.get(run, id)
    const { counts, rollout, items } = run.read.parse(row)
    const isOver = runStateOf(counts, rollout) !== 'open'
    if (isOver || caller.now() >= end) {
      const json = await caller.records.read((view) => recordJson(run, row, null, view))
      return { isOver, parts: items, json }
    }
    await caller.pause(pollMs)
  }
}
