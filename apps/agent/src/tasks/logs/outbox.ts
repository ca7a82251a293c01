import { type LogEntry, type LogFrame, logLimits } from '@qd/protocol/logs'

export type OutboxLimits = Readonly<{ linesPerSecond: number; frame: number; waiting: number }>

/** Where entries wait for the server. */
export interface Outbox {
  /** Whether there is room and time for another line. Each true is used up by one line. */
  takes(): boolean
  add(entry: LogEntry): void
  skip(): void
  /** Sends what waits. Resolves when the server has taken it. */
  flush(): Promise<void>
}

/** Roughly what JSON adds to an entry’s texts. */
const overhead = 80
const mergeMs = 50

/**
 * Sends the first `lines` at once, then `linesPerSecond`, while the server takes them; counts what it leaves out. Entries within 50 ms are one frame.
 */
export const createOutbox = (
  parts: {
    send(frame: LogFrame): boolean
    drained(): Promise<void>
    sleep(ms: number): Promise<void>
    now(): number
  },
  lines: number,
  limits: OutboxLimits = logLimits,
): Outbox => {
  const { send, drained, sleep, now } = parts
  let waiting: { entry: LogEntry; size: number }[] = []
  let size = 0
  let left = 0
  let tokens = lines
  let countedAt = now()
  let sending: Promise<void> | null = null

  const takes = () => {
    const at = now()
    const maxTokens = Math.max(lines, limits.linesPerSecond)
    tokens = Math.min(maxTokens, tokens + ((at - countedAt) * limits.linesPerSecond) / 1000)
    countedAt = at
    if (tokens < 1 || size >= limits.waiting) return false
    tokens -= 1
    return true
  }
  const nextFrame = (): LogFrame => {
    let bytes = 0
    let count = 0
    while (count < waiting.length && (count === 0 || bytes + waiting[count]!.size <= limits.frame)) {
      bytes += waiting[count]!.size
      count += 1
    }
    const entries = waiting.slice(0, count).map(({ entry }) => entry)
    waiting = waiting.slice(count)
    size -= bytes
    const frame: LogFrame = { kind: 'entries', entries, left }
    left = 0
    return frame
  }
  const sendAll = async () => {
    while (waiting.length > 0 || left > 0) if (!send(nextFrame())) await drained()
    sending = null
  }
  const soon = () => {
    sending ??= sleep(mergeMs).then(sendAll)
  }
  return {
    takes,
    add(entry) {
      const text = entry.text.slice(0, logLimits.text)
      const bytes = overhead + text.length + entry.unit.length + entry.name.length
      waiting.push({ entry: { ...entry, text }, size: bytes })
      size += bytes
      soon()
    },
    skip() {
      left += 1
      soon()
    },
    async flush() {
      await (sending ?? sendAll())
    },
  }
}
