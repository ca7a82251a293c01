/** Things that arrive over time and are read when they are wanted, with nothing lost in between. */
export interface Inbox<T> {
  /** The next one not read yet; waits for it. Errors: rejects after `timeoutMs` (5 s) or when nothing can come any more. */
  next(timeoutMs?: number): Promise<T>
  /** The first unread one that matches; those before it stay unread. Waits and fails as `next`. */
  take<Found extends T>(isWanted: (item: T) => item is Found, timeoutMs?: number): Promise<Found>
  take(isWanted: (item: T) => boolean, timeoutMs?: number): Promise<T>
  /** What has arrived and was not read. */
  readonly unread: readonly T[]
}

/** The writing end of an inbox as well. */
export interface OpenInbox<T> extends Inbox<T> {
  push(item: T): void
  /** Nothing more will come. */
  end(): void
}

/** An empty inbox. */
export const createInbox = <T>(): OpenInbox<T> => {
  const unread: T[] = []
  const waiting = new Set<() => void>()
  let last: T | undefined
  let ended = false
  const wakeAll = () => {
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const take = async (isWanted: (item: T) => boolean, timeoutMs = 20_000): Promise<T> => {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const index = unread.findIndex(isWanted)
      if (index >= 0) return unread.splice(index, 1)[0]!
      const left = deadline - Date.now()
      if (ended || left <= 0)
        throw new Error(
          `${ended ? 'nothing more comes' : `nothing came within ${timeoutMs} ms`}; the last was ${describe(last)}`,
        )
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        waiting.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
  return {
    unread,
    take: take as OpenInbox<T>['take'],
    next: (timeoutMs) => take(() => true, timeoutMs),
    push: (item) => {
      last = item
      unread.push(item)
      wakeAll()
    },
    end: () => {
      ended = true
      wakeAll()
    },
  }
}

/** An event by its plain fields, for the message of a failure. */
const describe = (item: unknown): string =>
  JSON.stringify(item, (key, value) =>
    key === 'call' || key === 'bytes' ? undefined : typeof value === 'bigint' ? String(value) : value,
  )
