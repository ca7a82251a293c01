import type { TerminalSize } from '@qd/protocol/stream-frames'
import type { Cancel, Clock } from '../actions/index.ts'

/** At most ten sizes per second are sent (behavior W-02). */
const leastGapMs = 100
/** The size is sent again this long after opening (product spec, section 7). */
const againMs = 1500
const least = 2
const most = { cols: 1000, rows: 500 }

/** Sends a terminal’s size on opening, after 1.5 s, and on change. */
export interface Sizer {
  opened(): void
  closed(): void
  resize(size: TerminalSize): void
}

/** Agents accept whole cells, at least 2 x 2. */
function toSize({ cols, rows }: TerminalSize): TerminalSize {
  const within = (cells: number, limit: number) => Math.min(limit, Math.max(least, Math.floor(cells) || least))
  return { cols: within(cols, most.cols), rows: within(rows, most.rows) }
}

export function createSizer(options: { clock: Clock; size: TerminalSize; send(size: TerminalSize): void }): Sizer {
  const { clock, send } = options
  let size = toSize(options.size)
  let isOpen = false
  let sentAt = Number.NEGATIVE_INFINITY
  let pending: Cancel | null = null
  let cancelAgain: Cancel = () => undefined

  const flush = () => {
    pending?.()
    pending = null
    sentAt = clock.now()
    send(size)
  }
  return {
    opened() {
      isOpen = true
      flush()
      cancelAgain = clock.setTimer(flush, againMs)
    },
    closed() {
      isOpen = false
      pending?.()
      pending = null
      cancelAgain()
    },
    resize(next) {
      const before = size
      size = toSize(next)
      const isSame = size.cols === before.cols && size.rows === before.rows
      if (!isOpen || pending || isSame) return
      const waitMs = sentAt + leastGapMs - clock.now()
      if (waitMs <= 0) flush()
      else pending = clock.setTimer(flush, waitMs)
    },
  }
}
