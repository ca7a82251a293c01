import type { Cancel } from '../api/index.ts'
import { createLogSession, type LogHost, type LogLine, type LogSessionOptions, type LogState } from './session.ts'

/** Lines that are kept to be shown. */
const maxLogLines = 10_000

/** The newest lines in the order of their times, after more have come. Lines beyond the maximum are dropped, the oldest first. */
export function withLines(lines: readonly LogLine[], more: readonly LogLine[], max = maxLogLines): readonly LogLine[] {
  const last = lines.at(-1)?.at ?? 0
  const all = [...lines, ...more]
  // A host may be late; most lines come in order.
  if (more.some(({ at }) => at < last)) all.sort((a, b) => a.at - b.at)
  return all.length > max ? all.slice(-max) : all
}

/** A reading as it is shown: its newest lines, how many are missing, and while paused, how many are kept back. */
export interface LogTail {
  readonly lines: readonly LogLine[]
  readonly left: number
  readonly hosts: readonly LogHost[]
  readonly state: LogState
  readonly isPaused: boolean
  readonly waiting: number
}

export const emptyTail: LogTail = {
  lines: [],
  left: 0,
  hosts: [],
  state: { status: 'opening' },
  isPaused: false,
  waiting: 0,
}

/** Reads logs from now on. Returns how to pause, and to end the reading. */
export function openLogTail(
  options: Omit<LogSessionOptions, 'onLines' | 'onHosts' | 'onState'> & { onChange(tail: LogTail): void },
): { pause(isOn: boolean): void; close: Cancel } {
  let tail = emptyTail
  let held: readonly LogLine[] = []
  const change = (changes: Partial<LogTail>) => {
    tail = { ...tail, ...changes }
    options.onChange(tail)
  }
  const session = createLogSession({
    ...options,
    onLines(more, missing) {
      const left = tail.left + missing
      if (!tail.isPaused) return change({ lines: withLines(tail.lines, more), left })
      held = withLines(held, more)
      change({ left, waiting: held.length })
    },
    onHosts: (hosts) => change({ hosts }),
    onState: (state) => change({ state }),
  })
  session.start()
  return {
    pause(isPaused) {
      const more = held
      held = []
      change({ isPaused, waiting: 0, ...(more.length > 0 && { lines: withLines(tail.lines, more) }) })
    },
    close: () => session.close(),
  }
}
