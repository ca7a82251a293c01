import type { Engine } from '../kernel/engine.ts'
import type { Clock } from '../kernel/ports.ts'

export type Health = ReturnType<typeof createHealth>

const askEveryMs = 1000

export function createHealth(
  engines: readonly Pick<Engine, 'start' | 'problem'>[],
  databaseProblem: () => Promise<string | null>,
  { now }: Pick<Clock, 'now'>,
) {
  let isRunning = false
  let asked: { at: number; answer: Promise<string | null> } | null = null

  function database(): Promise<string | null> {
    if (asked === null || Math.abs(now() - asked.at) >= askEveryMs) asked = { at: now(), answer: databaseProblem() }
    return asked.answer
  }
  return {
    async start(): Promise<void> {
      for (const engine of engines) await engine.start()
      isRunning = true
    },
    async problems(): Promise<string[]> {
      const found = [
        isRunning ? null : 'the server is starting',
        await database(),
        ...engines.map((engine) => engine.problem?.() ?? null),
      ]
      return found.filter((text) => text !== null)
    },
  }
}
