import { toAppError } from '@qd/core/errors'
import type { Selectable } from 'kysely'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import { isDatabaseAway } from '../../kernel/errors.ts'
import { listOf } from '../../kernel/json.ts'
import type { Clock } from '../../kernel/ports.ts'
import { errorText, texts } from '../../kernel/texts.ts'
import { excluded } from '../../store/db/columns.ts'
import type { OutboxTable } from '../../store/db/schema.ts'
import { randomText } from '../../store/records/secrets.ts'
import type { Deliver } from './delivery.ts'
import { createLanes, type LaneLimits } from './lanes.ts'
import { createMutes } from './mutes.ts'
import type { Delivery, Notice, Notices, RecordDelivery } from './types.ts'

/** Notifications of one cause sent one by one; more become one message that names the first. */
const fewNotices = 10
/** Span after the first within which notifications of one cause are grouped. */
const togetherMs = 60_000
/** So many are sent before that. */
const maxTogether = 5000

/** `held`: rows of the outbox that it was kept in while it waited. */
interface Waiting extends Notice {
  readonly held?: readonly number[]
}

interface Burst {
  sent: number
  /** A summary was sent: others wait for the end of the minute. */
  isGrouped: boolean
  waiting: Waiting[]
  readonly cancel: () => void
}

function createBursts(
  clock: Clock,
  { tell, hold }: { tell(notice: Waiting): void; hold(notice: Notice, cause: string): Waiting },
) {
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
    add(cause: string, notice: Waiting): void {
      const key = JSON.stringify([cause, notice.groupId, notice.ownerId])
      const known = bursts.get(key)
      const burst = known ?? {
        sent: 0,
        isGrouped: false,
        waiting: [],
        cancel: clock.after(togetherMs, () => end(key)),
      }
      bursts.set(key, burst)
      burst.waiting.push(burst.isGrouped && !notice.held ? hold(notice, cause) : notice)
      if (burst.isGrouped && burst.waiting.length >= maxTogether) tellWaiting(burst, 1)
      // An engine notices an outage in one turn, server by server.
      else if (burst.waiting.length === 1) queueMicrotask(() => decide(burst))
    },
    flush(): void {
      for (const [key, { cancel }] of [...bursts]) {
        cancel()
        end(key)
      }
    },
  }
}

function unlessAway(error: unknown): void {
  if (isDatabaseAway(error)) throw error
}

function together(notices: readonly Waiting[]): Waiting {
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
    incidents: notices.flatMap(({ incidents = [] }) => incidents),
    held: notices.flatMap(({ held = [] }) => held),
    onDelivered: (results) => {
      for (const notice of notices) notice.onDelivered?.(results)
    },
  }
}

/** A whole fleet may fail at once, so age limits before number does. */
const usual: LaneLimits = { waiting: 5000, size: 32 * 1024 * 1024, atOnce: 64 }
const staleMs = 15 * 60_000
/** What was owed longer than this at the start is no news any more. */
const staleAtStartMs = 24 * 3_600_000
const retryMs = 1000
/** Once, and once more after a crash. */
const maxSends = 2
/** Time at the stop for what is being sent. The rest stays owed. */
const goodbyeMs = 700

/** Sends to all members of a group: each receives one message at a time, in order, and waits for no other. What a crash interrupts is sent after the next start. */
export function createNotices(
  base: Pick<
    Base,
    'accounts' | 'announcements' | 'clock' | 'db' | 'log' | 'notifications' | 'notificationGroups' | 'random' | 'writes'
  >,
  deliver: Deliver,
  limits: LaneLimits = usual,
): Notices & { readonly engine: Engine } {
  const { accounts, announcements, clock, log, notifications, notificationGroups, random, writes } = base
  const mutes = createMutes(base)
  const outbox = createOutbox(base)
  const lanes = createLanes(limits)
  const bursts = createBursts(clock, { tell: (notice) => void sendAll(notice), hold })
  let record: (told: RecordDelivery) => void = () => {}
  const told = new Promise<RecordDelivery>((resolve) => {
    record = resolve
  })
  let dropped = 0
  let isStopping = false

  const nameOf = (groupId: number) => notificationGroups.find(groupId)?.name ?? ''

  /** Owners are checked again: one may have been an administrator when the group was saved (behaviour S-27). */
  function membersOf({ groupId, ownerId }: Notice): number[] {
    const group = notificationGroups.find(groupId)
    if (!group || !(accounts.isAdmin(ownerId) || group.owner_id === ownerId)) return []
    const all = accounts.isAdmin(group.owner_id)
    return group.notifications.filter((id) => {
      const row = notifications.find(id)
      return row && (all || row.owner_id === group.owner_id)
    })
  }

  function owe({ groupId, ownerId, serverId, incidents = [], message }: Notice, notifier: number, cause = ''): Owed {
    return {
      id: outbox.nextId(),
      notice: randomText(random, 20),
      notification_id: notifier,
      group_id: groupId,
      owner_id: ownerId,
      server_id: serverId ?? 0,
      incidents,
      cause,
      message,
      at: clock.now(),
      sending: 0,
    }
  }

  function hold(notice: Notice, cause: string): Waiting {
    const owed = owe(notice, 0, cause)
    outbox.put(owed)
    return { ...notice, held: [owed.id] }
  }

  /** Returns why it wasn't sent, '' if it was, null if it stays owed. Only what is stored as leaving is sent at most once more after a crash. A full disk doesn't stop it; a database that is away does, since another server may use it. */
  async function sendOnce(owed: Owed, since: number): Promise<string | null> {
    while (!isStopping) {
      if (owed.sending >= maxSends) return texts.noticeUnknown
      if (clock.now() - since > staleMs) return drop(owed.notification_id)
      try {
        outbox.put({ ...owed, sending: owed.sending + 1 })
        await writes.stored().catch(unlessAway)
        return isStopping ? null : await tell(owed)
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        await new Promise<void>((resolve) => clock.after(retryMs, resolve))
      }
    }
    return null
  }

  /** Errors: `databaseAway`, before it left. */
  async function tell({ notification_id: id, server_id, notice, message }: Owed): Promise<string> {
    const notifier = notifications.find(id)
    if (!notifier) return texts.notifierGone
    try {
      await deliver(notifier, { notice, message, serverId: server_id === 0 ? null : server_id })
      return ''
    } catch (thrown) {
      unlessAway(thrown)
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

  async function note(id: number, error: string) {
    const owner = notifications.find(id)?.owner_id
    if (owner === undefined) return
    await notifications
      .sent(id, { at: clock.now(), error })
      .then(() => announcements.announce({ resource: 'notification', id, ownerId: owner }))
      .catch((cause: unknown) => log.error({ err: cause, notifier: id }, 'failed to write notification result'))
  }

  function sendTo(owed: Owed): Promise<Delivery> {
    const { id, notification_id: notifier, incidents } = owed
    const since = clock.now()
    const name = notifications.find(notifier)?.name ?? ''
    return new Promise((resolve) => {
      function end(error: string) {
        const delivery = { notification_id: notifier, name, at: clock.now(), ok: error === '', error }
        const recorded = incidents.length === 0 ? null : told.then((recordIn) => recordIn(incidents, delivery))
        const finish = () => {
          outbox.remove(id)
          resolve(delivery)
        }
        if (recorded === null) return finish()
        return recorded
          .catch((cause: unknown) => log.error({ err: cause }, 'failed to record notification result'))
          .then(finish)
      }
      outbox.put(owed)
      const isTaken = lanes.add(notifier, owed.message.length, async () => {
        const error = await sendOnce(owed, since)
        if (error === null) return
        // At the stop, the database is about to close.
        if (!isStopping) await note(notifier, error)
        await end(error)
      })
      if (!isTaken) void end(drop(notifier))
    })
  }

  async function sendAll(notice: Waiting) {
    const results = Promise.all(membersOf(notice).map((member) => sendTo(owe(notice, member))))
    for (const id of notice.held ?? []) outbox.remove(id)
    try {
      notice.onDelivered?.(await results)
    } catch (error) {
      log.error({ err: error }, 'failed to record notification result')
    }
  }

  /** Sends what is owed since the last stop; first what may have left. */
  async function resume() {
    const owed = await outbox.load()
    for (const one of owed.sort((a, b) => b.sending - a.sending || a.id - b.id)) {
      const { id, notification_id, group_id, owner_id, server_id, incidents, cause, message } = one
      if (clock.now() - one.at > staleAtStartMs) {
        drop(notification_id)
        outbox.remove(id)
      } else if (notification_id > 0) void sendTo(one)
      else {
        const whom = { groupId: group_id, ownerId: owner_id, serverId: server_id === 0 ? null : server_id }
        bursts.add(cause, { ...whom, message, incidents, mute: null, held: [id] })
      }
    }
    if (owed.length > 0) log.info({ notifications: owed.length }, 'sending notifications that were due before the stop')
  }

  return {
    send(notice) {
      if (notice.mute !== null && !mutes.take(notice.mute, nameOf(notice.groupId))) return
      if (notice.cause === undefined) void sendAll(notice)
      else bursts.add(notice.cause, notice)
    },
    lift: (label, groupId) => mutes.lift(label, nameOf(groupId)),
    onDelivered: record,
    async settled() {
      // Bursts decide at the end of this turn.
      await Promise.resolve()
      await lanes.idle()
      await new Promise((resolve) => setImmediate(resolve))
    },
    engine: {
      name: 'notices',
      async start() {
        await mutes.load()
        await resume()
      },
      async stop() {
        bursts.flush()
        let cancel = () => {}
        const goodbye = new Promise<void>((resolve) => {
          cancel = clock.after(goodbyeMs, resolve)
        })
        await Promise.race([lanes.idle(), goodbye])
        cancel()
        isStopping = true
      },
    },
  }
}

/** A notification that is owed: to one notifier, or to a group if it waits for others of its cause. */
interface Owed extends Omit<Selectable<OutboxTable>, 'incidents'> {
  readonly incidents: readonly number[]
}

/** What is owed is kept in the database, in one transaction with its cause, until its result is recorded. */
function createOutbox({ db, writes }: Pick<Base, 'db' | 'writes'>) {
  let lastId = 0
  const write = writes.join<{ id: number; owed: Owed | null }>('notifications', async (handle, changes) => {
    const gone = changes.flatMap(({ id, owed }) => (owed === null ? id : []))
    if (gone.length > 0) await handle.deleteFrom('outbox').where('id', 'in', gone).execute()
    const rows = changes.flatMap(({ owed }) => (owed === null ? [] : toColumns(owed)))
    if (rows.length > 0)
      await handle
        .insertInto('outbox')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(excluded('sending')))
        .execute()
  })
  return {
    async load(): Promise<Owed[]> {
      const rows = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
      lastId = rows.at(-1)?.id ?? 0
      return rows.map((row) => ({ ...row, incidents: listOf<number>(row.incidents) }))
    },
    nextId(): number {
      lastId += 1
      return lastId
    },
    put: (owed: Owed): void => write(owed.id, { id: owed.id, owed }),
    remove: (id: number): void => write(id, { id, owed: null }),
  }
}

const toColumns = (owed: Owed) => ({ ...owed, incidents: JSON.stringify(owed.incidents) })
