/** Things that arrive over time and are read one by one, in order, with nothing lost in between. */
export interface Inbox<T> {
  /** The next one not read yet; waits for it. Errors: rejects after `timeoutMs` (5 s) or when nothing can come any more. */
  next(timeoutMs?: number): Promise<T>
  /** All that arrived so far, read or not. */
  readonly seen: readonly T[]
}

/** The writing end of an inbox as well. */
export interface OpenInbox<T> extends Inbox<T> {
  push(item: T): void
  /** Nothing more will come. */
  end(): void
}

/** An empty inbox. */
export const createInbox = <T>(): OpenInbox<T> => {
  const seen: T[] = []
  let read = 0
  let ended = false
  let wake: (() => void) | undefined
  const next = async (timeoutMs = 5000): Promise<T> => {
    const deadline = Date.now() + timeoutMs
    while (read >= seen.length) {
      const left = deadline - Date.now()
      if (ended || left <= 0) {
        const what = ended ? 'nothing more comes' : `nothing came within ${timeoutMs} ms`
        throw new Error(
          `${what}, after ${JSON.stringify(seen.slice(-3), (_key, value) => (typeof value === 'bigint' ? String(value) : value))}`,
        )
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return seen[read++]!
  }
  return {
    seen,
    next,
    push: (item) => {
      seen.push(item)
      wake?.()
    },
    end: () => {
      ended = true
      wake?.()
    },
  }
}
