import { afterEach, expect } from 'vitest'
import { createReplay, type Replay, type ReplayOptions, type Started } from './replay.ts'

export type { Expected, Replay, ReplayOptions } from './replay.ts'

const open: Started[] = []
afterEach(async () => {
  const ended = open.splice(0)
  await Promise.all(ended.map(({ replay }) => replay.close()))
  for (const { problems } of ended) expect(problems()).toEqual([])
})

/** Starts one; it ends with the test, which fails where something was wrong. */
export async function startReplay(options: ReplayOptions = {}): Promise<Replay> {
  const started = await createReplay(options)
  open.push(started)
  return started.replay
}
