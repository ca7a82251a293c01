import type { Base } from '../../base.ts'
import { type KeptState, saveStates } from './state-store.ts'

/** States are written down this often; a new status soon. */
const everyMs = 60_000
const soonMs = 1_000

/** Writes states down behind the engine. */
export interface StateWrites {
  /** The state of a service has changed; `soon`: in a way that must not be lost. */
  changed(id: number, soon: boolean): void
  start(): void
  trouble(): string | null
  /** Writes what is left. Errors: rejects if it cannot. */
  stop(): Promise<void>
}

/** Nothing to write yet. `stateOf` returns null for a service that is gone. */
export function createStateWrites(
  { db, clock, log }: Pick<Base, 'db' | 'clock' | 'log'>,
  stateOf: (id: number) => KeptState | null,
): StateWrites {
  const unsaved = new Set<number>()
  let cancel = () => {}
  let dueAt = Number.POSITIVE_INFINITY
  let trouble: string | null = null
  let isRunning = false

  function within(ms: number) {
    const at = clock.now() + ms
    if (!isRunning || at >= dueAt) return
    cancel()
    dueAt = at
    cancel = clock.after(ms, () => void save())
  }

  async function save() {
    const states = [...unsaved].flatMap((id) => {
      const state = stateOf(id)
      return state ? [[id, state] as const] : []
    })
    unsaved.clear()
    dueAt = Number.POSITIVE_INFINITY
    try {
      await saveStates(db, states)
      trouble = null
    } catch (error) {
      for (const [id] of states) unsaved.add(id)
      trouble = 'failed to write service states'
      log.error({ err: error }, trouble)
    }
    within(everyMs)
  }

  return {
    changed(id, soon) {
      unsaved.add(id)
      if (soon) within(soonMs)
    },
    start() {
      isRunning = true
      within(everyMs)
    },
    trouble: () => trouble,
    async stop() {
      isRunning = false
      cancel()
      await save()
      if (trouble !== null) throw new Error(trouble)
    },
  }
}
