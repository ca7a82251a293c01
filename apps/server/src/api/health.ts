import type { Engine } from '../kernel/engine.ts'
import type { Clock } from '../kernel/ports.ts'

/** What `/healthz` tells of, and the start of the engines that it waits for. */
export interface Health {
  start(): Promise<void>
  problems(): Promise<string[]>
}

/** Shortest time between two checks of the database, however often `/healthz` is called (S-54). */
const askEveryMs = 1000

/** The port listens before the engines run: until they do, the server is not healthy. */
export function createHealth(
  engines: readonly Pick<Engine, 'start' | 'problem'>[],
  databaseProblem: () => Promise<string | null>,
  { now }: Pick<Clock, 'now'>,
): Health {
  let isRunning = false
  let asked: { at: number; answer: Promise<string | null> } | null = null

  function database(): Promise<string | null> {
    if (asked === null || Math.abs(now() - asked.at) >= askEveryMs) asked = { at: now(), answer: databaseProblem() }
    return asked.answer
  }
  return {
    async start() {
      for (const engine of engines) await engine.start()
      isRunning = true
    },
    async problems() {
      const found = [
        isRunning ? null : 'the server is starting',
        await database(),
        ...engines.map((engine) => engine.problem?.() ?? null),
      ]
      return found.filter((text) => text !== null)
    },
  }
}
