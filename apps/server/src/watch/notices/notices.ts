import { toAppError } from '@qd/core/errors'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { Clock } from '../../kernel/ports.ts'
import { errorText, texts } from '../../kernel/texts.ts'
import type { NotificationRow } from '../../store/records/rows.ts'
import type { Deliver } from './delivery.ts'
import { createLanes, type LaneLimits } from './lanes.ts'
import { createMutes } from './mutes.ts'
import type { Delivery, Notice, Notices } from './types.ts'

/** Notifications of one cause sent one by one; more become one message that names the first. */
const fewNotices = 10
/** Span after the first within which notifications of one cause are grouped. */
const togetherMs = 60_000

interface Burst {
  sent: number
  /** A summary was sent: others wait for the end of the minute. */
  isGrouped: boolean
  waiting: Notice[]
  readonly cancel: () => void
}

function createBursts(clock: Clock, tell: (notice: Notice) => void) {
  const bursts = new Map<string, Burst>()

  function tellWaiting(burst: Burst, alone: number) {
    const { waiting } = burst
    burst.waiting = []
    if (waiting.length <= alone) for (const notice of waiting) tell(notice)
    else tell(together(waiting))
  }

  function decide(burst: Burst) {
    if (burst.isGrouped || burst.waiting.length === 0) return
    const alone = fewNotices - burst.sent
    burst.isGrouped = burst.waiting.length > alone
    burst.sent += burst.waiting.length
    tellWaiting(burst, alone)
  }

  function end(key: string) {
    const burst = bursts.get(key)
    bursts.delete(key)
    if (burst) tellWaiting(burst, 1)
  }

  return {
    /** Sends alone or grouped: at the end of this turn, or of the minute if there were many before. */
    add(cause: string, notice: Notice): void {
      const key = JSON.stringify([cause, notice.groupId, notice.ownerId])
      const known = bursts.get(key)
      const burst = known ?? {
        sent: 0,
        isGrouped: false,
        waiting: [],
        cancel: clock.after(togetherMs, () => end(key)),
      }
      bursts.set(key, burst)
      burst.waiting.push(notice)
      // An engine notices an outage in one turn, server by server.
      if (burst.waiting.length === 1) queueMicrotask(() => decide(burst))
    },
    flush(): void {
      for (const [key, { cancel }] of [...bursts]) {
        cancel()
        end(key)
      }
    },
  }
}

function together(notices: readonly Notice[]): Notice {
  const { groupId, ownerId, serverId } = notices[0]!
  const first = notices.slice(0, fewNotices).map(({ message }) => message.replace(/\n.*/s, ''))
  const rest = notices.length - first.length
  return {
    groupId,
    ownerId,
    serverId,
    message: [`${notices.length} at once, same cause:`, ...first, ...(rest > 0 ? [`… and ${rest} more`] : [])].join(
      '\n',
    ),
    mute: null,
    onDelivered: (results) => {
      for (const notice of notices) notice.onDelivered?.(results)
    },
  }
}

/** A whole fleet may fail at once, so age limits before number does. */
const usual: LaneLimits = { waiting: 5000, size: 32 * 1024 * 1024, atOnce: 64 }
const staleMs = 15 * 60_000

/** Sends to all members of a group: each receives one message at a time, in order, and waits for no other. */
export function createNotices(
  base: Pick<Base, 'accounts' | 'announcements' | 'clock' | 'log' | 'notifications' | 'notificationGroups'>,
  deliver: Deliver,
  limits: LaneLimits = usual,
): Notices & { readonly engine: Engine } {
  const { accounts, announcements, clock, log, notifications, notificationGroups } = base
  const mutes = createMutes(clock)
  const lanes = createLanes(limits)
  const bursts = createBursts(clock, (notice) => void sendAll(membersOf(notice), notice))
  let dropped = 0
  let isStopping = false

  const nameOf = (groupId: number) => notificationGroups.find(groupId)?.name ?? ''

  /** Owners are checked again: one may have been an administrator when the group was saved (behaviour S-27). */
  function membersOf({ groupId, ownerId }: Notice): NotificationRow[] {
    const group = notificationGroups.find(groupId)
    if (!group || !(accounts.isAdmin(ownerId) || group.owner_id === ownerId)) return []
    const all = accounts.isAdmin(group.owner_id)
    return group.notifications.flatMap((id) => {
      const row = notifications.find(id)
      return row && (all || row.owner_id === group.owner_id) ? row : []
    })
  }

  async function tell(id: number, { message, serverId }: Notice): Promise<string> {
    const notifier = notifications.find(id)
    if (!notifier) return texts.notifierGone
    try {
      await deliver(notifier, { message, serverId })
      return ''
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'internal') log.error({ err: error.cause, notifier: id }, 'failed to send notification')
      else log.warn({ notifier: id, reason: errorText(error) }, 'notification rejected')
      return errorText(error)
    }
  }

  function drop(id: number): string {
    dropped += 1
    if (dropped % 100 === 1) log.warn({ notifier: id, dropped }, 'notification dropped: queue full')
    return texts.noticesFull
  }

  function sendTo({ id, name, owner_id }: NotificationRow, notice: Notice): Promise<Delivery> {
    return new Promise((resolve) => {
      const end = (error: string) => resolve({ notification_id: id, name, at: clock.now(), ok: error === '', error })
      const since = clock.now()
      const isTaken = lanes.add(id, notice.message.length, async () => {
        const error = clock.now() - since > staleMs ? drop(id) : await tell(id, notice)
        end(error)
        if (isStopping) return
        await notifications
          .sent(id, { at: clock.now(), error })
          .then(() => announcements.announce({ resource: 'notification', id, ownerId: owner_id }))
          .catch((cause: unknown) => log.error({ err: cause, notifier: id }, 'failed to write notification result'))
      })
      if (!isTaken) end(drop(id))
    })
  }

  async function sendAll(members: readonly NotificationRow[], notice: Notice) {
    const results = await Promise.all(members.map((member) => sendTo(member, notice)))
    try {
      notice.onDelivered?.(results)
    } catch (error) {
      log.error({ err: error }, 'failed to record notification result')
    }
  }

  return {
    send(notice) {
      if (notice.mute !== null && !mutes.take(notice.mute, nameOf(notice.groupId))) return
      if (notice.cause === undefined) void sendAll(membersOf(notice), notice)
      else bursts.add(notice.cause, notice)
    },
    lift: (label, groupId) => mutes.lift(label, nameOf(groupId)),
    async settled() {
      // Bursts decide at the end of this turn.
      await Promise.resolve()
      await lanes.idle()
    },
    engine: {
      name: 'notices',
      async start() {},
      stop() {
        bursts.flush()
        isStopping = true
        return lanes.idle()
      },
    },
  }
}
