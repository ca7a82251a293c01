import { firstItem } from '@qd/core/errors'
import type { Clock } from '../../kernel/ports.ts'
import type { Notice } from './types.ts'

/** Most notices of one cause that are sent one by one. More of them become one message that names the first ones. */
const fewNotices = 10
/** Notices of one cause belong together for this long after the first. */
const togetherMs = 60_000

/** Notices of one cause for one group that belong together. */
interface Burst {
  /** Notices sent one by one so far. */
  told: number
  /** A summary was sent: further notices wait for the end of the minute. */
  isGrouped: boolean
  waiting: Notice[]
  readonly cancel: () => void
}

/** Keeps a flood of notices with one cause from becoming a flood of messages. */
export interface Bursts {
  /** Sends a notice, alone or together with others of its cause: at the end of this turn, or of the minute if there were many before. */
  add(cause: string, notice: Notice): void
  /** Sends the waiting notices now. */
  flush(): void
}

/** `tell` sends one message. */
export function createBursts(clock: Clock, tell: (notice: Notice) => void): Bursts {
  const bursts = new Map<string, Burst>()

  function tellWaiting(burst: Burst, alone: number) {
    const { waiting } = burst
    burst.waiting = []
    if (waiting.length <= alone) for (const notice of waiting) tell(notice)
    else tell(together(waiting))
  }

  function decide(burst: Burst) {
    if (burst.isGrouped || burst.waiting.length === 0) return
    const alone = fewNotices - burst.told
    burst.isGrouped = burst.waiting.length > alone
    burst.told += burst.waiting.length
    tellWaiting(burst, alone)
  }

  function end(key: string) {
    const burst = bursts.get(key)
    bursts.delete(key)
    if (burst) tellWaiting(burst, 1)
  }

  return {
    add(cause, notice) {
      const key = JSON.stringify([cause, notice.groupId, notice.ownerId])
      const known = bursts.get(key)
      const burst = known ?? {
        told: 0,
        isGrouped: false,
        waiting: [],
        cancel: clock.after(togetherMs, () => end(key)),
      }
      bursts.set(key, burst)
      burst.waiting.push(notice)
      // An outage is noticed in one turn of its engine, server by server.
      if (burst.waiting.length === 1) queueMicrotask(() => decide(burst))
    },
    flush() {
      for (const [key, { cancel }] of [...bursts]) {
        cancel()
        end(key)
      }
    },
  }
}

/** One notice that summarises many of one cause. */
function together(notices: readonly Notice[]): Notice {
  const { groupId, ownerId, serverId } = firstItem(notices)
  const first = notices.slice(0, fewNotices).map(({ message }) => firstItem(message.split('\n', 1)))
  const rest = notices.length - first.length
  return {
    groupId,
    ownerId,
    serverId,
    message: [`${notices.length} at once, same cause:`, ...first, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(
      '\n',
    ),
    mute: null,
    told: (results) => {
      for (const notice of notices) notice.told?.(results)
    },
  }
}
