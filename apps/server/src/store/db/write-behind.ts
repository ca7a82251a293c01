import type { Logger } from 'pino'
import type { Clock } from '../../kernel/ports.ts'

const retryMs = 1000

/** `writeSome` must lose nothing if it throws; it is called again. */
export function createWriteBehind(
  { clock, log }: { clock: Clock; log: Logger },
  work: { what: string; isLeft(): boolean; writeSome(): Promise<void> },
) {
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
      await new Promise((resolve) => setImmediate(resolve))
    }
    writing = null
  }

  function wake() {
    writing ??= Promise.resolve().then(writeAll)
  }

  return {
    wake,
    async settled(): Promise<void> {
      await writing
    },
    /** Writes the rest before the stop. Rejects if something is left. */
    async finish(): Promise<void> {
      await writing
      if (work.isLeft()) throw new Error(`failed to write ${work.what}`)
    },
    problem: () => problem,
  }
}
