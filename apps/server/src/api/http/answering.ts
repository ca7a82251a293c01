import type { ServerResponse } from 'node:http'

/** Answers under way, so that a stop can let them end. */
export interface Answering {
  track(response: ServerResponse): void
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** Counts answers from the request's arrival until the last byte is gone or the connection is. */
export function createAnswering(): Answering {
  let count = 0
  let waiting: (() => void)[] = []
  return {
    track(response) {
      count += 1
      response.once('close', () => {
        count -= 1
        if (count > 0) return
        for (const resolve of waiting) resolve()
        waiting = []
      })
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
