import { toAppError } from '@qd/core/errors'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import { errorText, texts } from '../../kernel/texts.ts'
import type { NotificationRow } from '../../store/records/rows.ts'
import { createBursts } from './bursts.ts'
import type { Deliver } from './delivery.ts'
import { createLanes, type LaneLimits } from './lanes.ts'
import { createMutes } from './mutes.ts'
import type { Notice, Notices, Told } from './types.ts'

/** The notices, as an engine that starts and stops. */
export interface NoticesEngine extends Notices {
  readonly engine: Engine
}

/** A whole fleet may fail at once, so the age limit applies before the number limit. */
const usual: LaneLimits = { waiting: 5000, size: 32 * 1024 * 1024, atOnce: 64 }
/** A message that waited this long is dropped as outdated. */
const staleMs = 15 * 60_000

/** Sends through the notifiers of a group: each receives one message at a time, in order, and waits for no other. */
export function createNotices(
  base: Pick<Base, 'accounts' | 'announcements' | 'clock' | 'log' | 'notifications' | 'notificationGroups'>,
  deliver: Deliver,
  limits: LaneLimits = usual,
): NoticesEngine {
  const { accounts, announcements, clock, log, notifications, notificationGroups } = base
  const mutes = createMutes(clock)
  const lanes = createLanes(limits)
  const bursts = createBursts(clock, (notice) => void sendAll(membersOf(notice), notice))
  let dropped = 0
  let isStopping = false

  const nameOf = (groupId: number) => notificationGroups.find(groupId)?.name ?? ''

  /** The owners are checked again, because an owner may have been an admin when the group was saved (behaviour S-27). */
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

  function sendTo({ id, name, owner_id }: NotificationRow, notice: Notice): Promise<Told> {
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
      notice.told?.(results)
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
      // What was said in this turn is decided at its end.
      await Promise.resolve()
      await lanes.idle()
    },
    engine: {
      name: 'notices',
      async start() {},
      trouble: () => null,
      stop() {
        bursts.flush()
        isStopping = true
        return lanes.idle()
      },
    },
  }
}
