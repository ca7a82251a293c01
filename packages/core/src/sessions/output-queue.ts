/** Hands output to a screen no faster than the screen draws it, and never holds more than a limit. */
export interface OutputQueue {
  push(bytes: Uint8Array): void
  clear(): void
}

/** What a queue is built from. */
export interface OutputQueueOptions {
  /** Draws bytes and calls `done` when it is ready for more. */
  write(bytes: Uint8Array, done: () => void): void
  /** So many bytes of a flood were left out; what comes next begins on a line of its own. */
  onSkipped(bytes: number): void
  /** Bytes that may wait; what is older goes first. Default 1 MiB, more than the screen scrolls back. */
  limit?: number
}

/** Bytes that are given to the screen at once. */
const portion = 64 * 1024
const lineFeed = 10

/** Builds a queue. While a flood goes on, the oldest waiting output is left out in whole lines, so that Ctrl+C is seen at once (behaviour W-04). */
export function createOutputQueue({ write, onSkipped, limit = 1024 * 1024 }: OutputQueueOptions): OutputQueue {
  let waiting: Uint8Array[] = []
  let size = 0
  let skipped = 0
  let isBusy = false

  const drop = (bytes: number) => {
    size -= bytes
    skipped += bytes
  }
  const trim = () => {
    while (size > limit && waiting.length > 1) drop(waiting.shift()!.length)
    const first = waiting[0]!
    const end = first.indexOf(lineFeed) + 1
    waiting[0] = first.subarray(end)
    drop(end)
  }
  const next = () => {
    isBusy = false
    if (waiting.length === 0) return
    isBusy = true
    if (skipped > 0) {
      onSkipped(skipped)
      skipped = 0
    }
    const bytes = take()
    write(bytes, next)
  }
  const take = () => {
    const taken: Uint8Array[] = []
    let length = 0
    while (waiting.length > 0 && (length === 0 || length + waiting[0]!.length <= portion)) {
      length += waiting[0]!.length
      taken.push(waiting.shift()!)
    }
    size -= length
    return taken.length === 1 ? taken[0]! : joined(taken, length)
  }
  return {
    push(bytes) {
      waiting.push(bytes)
      size += bytes.length
      if (size > limit) trim()
      if (!isBusy) next()
    },
    clear() {
      waiting = []
      size = 0
      skipped = 0
    },
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
