import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'

/** A write that failed, on a full disk say, is tried again after this. */
const retryMs = 1000

/** Writes that follow what is decided in memory, piece by piece. */
export interface WriteBehind {
  wake(): void
  settled(): Promise<void>
  /** The last writes before a stop. Errors: rejects if something is left. */
  finish(): Promise<void>
  /** Null while it works, else what cannot be stored. */
  problem(): string | null
}

/** Builds the writer of what `work` has left; `writeSome` throws with nothing lost, and is called again later. */
export function createWriteBehind(
  { clock, log }: { clock: Clock; log: Logger },
  work: { what: string; isLeft(): boolean; writeSome(): Promise<void> },
): WriteBehind {
  let writing: Promise<void> | null = null
  let problem: string | null = null

  async function writeAll() {
    while (work.isLeft()) {
      try {
        await work.writeSome()
        problem = null
      } catch (error) {
        if (problem === null) log.error({ err: error }, `failed to write ${work.what}; retrying`)
        problem = `cannot write ${work.what}`
        clock.after(retryMs, wake)
        break
      }
      // Other calls come in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    writing = null
  }

  function wake() {
    writing ??= Promise.resolve().then(writeAll)
  }

  return {
    wake,
    async settled() {
      await writing
    },
    async finish() {
      await writing
      if (work.isLeft()) throw new Error(`failed to write ${work.what}`)
    },
    problem: () => problem,
  }
}
