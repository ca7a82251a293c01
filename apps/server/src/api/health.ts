import type { Engine } from '../kernel/engine.ts'
import type { Clock } from '../kernel/ports.ts'

export type Health = ReturnType<typeof createHealth>

const askEveryMs = 1000
/** A health check is answered within this, whatever the database does. */
const answerWithinMs = 1000

export interface DatabaseHealth {
  /** Null if it answers. */
  ask(): Promise<string | null>
  /** Whether no other server can have taken it. */
  isHeld(): boolean
}

export function createHealth(
  engines: readonly Pick<Engine, 'start' | 'problem'>[],
  { ask, isHeld }: DatabaseHealth,
  { now, after }: Clock,
) {
  let isRunning = false
  let asked: { at: number; answer: Promise<string | null> } | null = null
  let asking: Promise<string | null> | null = null

  function database(): Promise<string | null> {
    if (asked === null || Math.abs(now() - asked.at) >= askEveryMs) asked = { at: now(), answer: askInTime() }
    return asked.answer
  }
  const askInTime = () =>
    new Promise<string | null>((resolve) => {
      const cancel = after(answerWithinMs, () => resolve(silentDatabase))
      // One whose answer came too late still waits for it.
      asking ??= ask().finally(() => {
        asking = null
      })
      void asking.then(resolve).finally(cancel)
    })
  return {
    async start(): Promise<void> {
      for (const engine of engines) await engine.start()
      isRunning = true
    },
    /** Whether this server is the one that answers for the database. */
    isReady: () => isRunning && isHeld(),
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

export const silentDatabase = 'the database is not responding'
