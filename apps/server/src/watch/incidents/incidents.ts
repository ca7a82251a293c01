import { AppError } from '@qd/core/errors'
import { IncidentState } from '@qd/core/resources'
import type { RunTriggered } from '../../act/trigger-tasks.ts'
import type { Base } from '../../base.ts'
import type { Events } from '../../fleet/events/event-tracker.ts'
import { createClearing } from '../../store/db/clearing.ts'
import { createOrder } from '../../store/records/commit.ts'
import type { RowsWanted } from '../../store/records/pages.ts'
import type { Notices, RecordDelivery } from '../notices/types.ts'
import {
  acknowledged,
  audible,
  closed,
  dueActions,
  dueAtRecovery,
  type IncidentEvent,
  type IncidentKey,
  type IncidentRow,
  keyOf,
  keyText,
  opened,
  silenced,
  withOutcome,
  withoutDone,
  withResponse,
} from './incident.ts'
import { createIncidentStore, type IncidentScope } from './incident-store.ts'
import { createInWindow } from './windows.ts'

export type IncidentPipe = ReturnType<typeof createIncidents>

/** What engines tell of. */
export type Incidents = Pick<IncidentPipe, 'failing' | 'recovered' | 'drop' | 'isOpen' | 'openSince' | 'settled'>

const checkEveryMs = 1000
const keepMs = 90 * 86_400_000
const keepIncidents = 20_000
/** Incidents kept in memory after they closed: results of their notifications and tasks follow. */
const keptClosed = 5000

export function createIncidents(
  base: Base,
  { notices, runTriggered, events }: { notices: Notices; runTriggered: RunTriggered; events: Events },
) {
  const { clock, retention, db, servers, writes } = base
  const store = createIncidentStore(db)
  const write = writes.join<IncidentRow>('incidents', store.save)
  const inWindow = createInWindow(base)
  const clearing = createClearing(base, 'old incidents', (isOver) =>
    store.prune({ before: retention.now() - keepMs, upTo: lastId - keepIncidents }, isOver),
  )
  const open = createOpenIncidents()
  const effects = createEffects(base, { notices, runTriggered, events, change })
  let lastId = 0
  const inOrder = createOrder()
  const cancels: (() => void)[] = []

  function change(known: Open, row: IncidentRow) {
    known.row = { ...row, updated_at: Math.max(clock.now(), row.updated_at + 1) }
    write(known.row.id, known.row)
    effects.announce(known.row)
  }

  function perform(known: Open, repeats: boolean) {
    const { row, event } = known
    if (!event) return
    const now = clock.now()
    const due = dueActions(row, {
      now,
      inWindow: inWindow(row, now),
      repeats: repeats && event.notify,
      restored: known.restored && !event.isNew,
    })
    if ((due.notice && row.notice_pending) || due.tasks) change(known, withoutDone(row, due))
    if (due.tasks) effects.run(known, event)
    if (!due.notice) return
    if (row.notice_pending && row.told.length > 0) effects.lift(event)
    effects.tell(known, event, { mute: event.mute })
  }

  function close(known: Open) {
    open.remove(known)
    change(known, closed(known.row, clock.now()))
    effects.note(known.row, 'incident-closed')
  }

  function dropWhere(matches: (row: IncidentRow) => boolean) {
    for (const known of open.all().filter(({ row }) => matches(row))) {
      if (known.event) effects.lift(known.event)
      close(known)
    }
  }

  function check() {
    const now = clock.now()
    for (const known of open.all()) {
      const { state, silenced_until: until } = known.row
      if (state === IncidentState.silenced && (until ?? 0) <= now) change(known, audible(known.row, false))
      if (known.row.notice_pending || known.row.tasks_pending) perform(known, false)
    }
    cancels[0] = clock.after(checkEveryMs, check)
  }

  async function anyById(id: number): Promise<Open> {
    const known = open.lately(id)
    if (known) return known
    await settled()
    const row = await store.get(id)
    if (!row) throw new AppError('notFound', { resource: 'incident', id })
    return open.addClosed({ row, event: null, restored: true, tasks: Promise.resolve() })
  }

  /** The result of a notification about incidents, some of which may be gone. */
  const told: RecordDelivery = (ids, delivery) =>
    inOrder(async () => {
      const known = await Promise.all(ids.map((id) => anyById(id).catch(unlessGone)))
      for (const one of known) if (one) change(one, withOutcome(one.row, { told: [delivery] }))
    })

  async function settled() {
    await effects.done()
    await writes.settled()
  }

  return {
    failing(event: IncidentEvent) {
      const known = open.find(event)
      if (known) {
        known.event = event
        if (event.isNew) change(known, { ...known.row, error: event.error, reading: event.reading })
        return perform(known, event.repeats)
      }
      const now = clock.now()
      lastId += 1
      const row = opened(event, { id: lastId, now, quiet: false })
      const added = open.add({ row, event, restored: false })
      change(added, { ...row, quiet: inWindow(row, now) })
      effects.note(row, 'incident-opened')
      perform(added, false)
    },
    recovered(event: IncidentEvent): void {
      const known = open.find(event)
      if (!known) return
      const due = dueAtRecovery(known.row, event)
      close(known)
      effects.lift(event)
      if (due.tasks) effects.run(known, event)
      if (due.notice) effects.tell(known, event, { mute: null, isOver: true })
    },
    /** Closes without a notification: the rule, service or server is gone, disabled or changed. */
    drop: (gone: Gone): void => dropWhere((row) => isGone(row, gone)),
    isOpen: (key: IncidentKey) => open.find(key) !== undefined,
    openSince: (key: IncidentKey) => open.find(key)?.row.created_at ?? null,
    settled,
    all: (): readonly IncidentRow[] => open.all().map(({ row }) => row),
    failingServers: (ruleId: number): readonly number[] =>
      open
        .all()
        .filter(({ row }) => row.rule_id === ruleId)
        .map(({ row }) => row.server_id),
    async list(scope: IncidentScope, wanted: RowsWanted) {
      await settled()
      return store.list(scope, wanted)
    },
    async counts(scope: IncidentScope) {
      await settled()
      return store.counts(scope)
    },
    async get(id: number) {
      await settled()
      return store.get(id)
    },
    /** Like all actions of persons: stored with the audit entry that follows in the same turn (store/db/joint-writes.ts). */
    ack(id: number, by: string): void {
      const known = open.byId(id)
      const at = clock.now()
      change(known, withResponse(acknowledged(known.row, by, at), { kind: 'acknowledged', at, by }))
    },
    silence(id: number, until: number, by: string): void {
      const known = open.byId(id)
      change(known, withResponse(silenced(known.row, until), { kind: 'silenced', at: clock.now(), by, until }))
    },
    unsilence(id: number, by: string): void {
      const known = open.byId(id)
      change(known, withResponse(audible(known.row, true), { kind: 'unsilenced', at: clock.now(), by }))
    },
    /** Also on a closed incident; in order, so that two notes are both kept. Errors: `notFound`. */
    note: (id: number, by: string, text: string): Promise<void> =>
      inOrder(async () => {
        const known = await anyById(id)
        change(known, withResponse(known.row, { kind: 'note', at: clock.now(), by, text }))
      }),
    engine: {
      name: 'incidents',
      async start(): Promise<void> {
        lastId = await store.lastId()
        for (const row of await store.open()) {
          open.add({ row, event: null, restored: true })
        }
        notices.onDelivered(told)
        cancels[1] = servers.onChange(({ before, after }) => {
          if (before && !after) dropWhere((row) => row.source === 'alert-rule' && row.server_id === before.id)
        })
        check()
        clearing.start()
      },
      async stop() {
        for (const cancel of cancels) cancel()
        await clearing.stop()
        await settled()
      },
    },
  }
}

function createEffects(
  { announcements, clock, log }: Pick<Base, 'announcements' | 'clock' | 'log'>,
  parts: { notices: Notices; runTriggered: RunTriggered; events: Events; change(known: Open, row: IncidentRow): void },
) {
  const { notices, runTriggered, events, change } = parts
  const working = new Set<Promise<void>>()
  return {
    /** Makes clients reload the incident and its rule or monitor. */
    announce({ id, owner_id: ownerId, source, rule_id, service_id }: IncidentRow): void {
      announcements.announce({ resource: 'incident', id, ownerId })
      announcements.announce({ resource: source, id: source === 'service' ? service_id : rule_id, ownerId })
    },
    note({ id, source, server_id: serverId, name }: IncidentRow, kind: 'incident-opened' | 'incident-closed'): void {
      // A rule concerns a server; a monitor doesn't, whichever server reports.
      if (source === 'alert-rule') events.record({ serverId, kind, params: { incident: id, name } })
    },
    tell(
      known: Open,
      { groupId, ownerId, message, serverId, source, sourceId }: IncidentEvent,
      { mute, isOver = false }: { mute: string | null; isOver?: boolean },
    ): void {
      notices.send({
        groupId,
        ownerId,
        message,
        serverId,
        mute,
        cause: `${source} ${sourceId} ${isOver}`,
        incidents: [known.row.id],
      })
    },
    lift({ mute, groupId }: IncidentEvent): void {
      if (mute !== null) notices.lift(mute, groupId)
    },
    /** Runs an event's tasks, after those of the same incident that are still running. */
    run(known: Open, { tasks, source, ownerId, serverId, name }: IncidentEvent): void {
      if (tasks.length === 0) return
      known.tasks = known.tasks.then(async () => {
        const runs = await runTriggered(tasks, { ownerId, serverId, by: `${source} ${name}` })
        if (runs.length > 0) change(known, withOutcome(known.row, { runs, now: clock.now() }))
      })
      const { tasks: work } = known
      working.add(work)
      void work
        .finally(() => working.delete(work))
        .catch((error: unknown) => log.error({ err: error }, 'failed to start the tasks of an incident'))
    },
    async done(): Promise<void> {
      while (working.size > 0) await Promise.all(working)
    },
  }
}

interface Open {
  row: IncidentRow
  /** The newest event; null after a start until the engine's first verdict. */
  event: IncidentEvent | null
  readonly restored: boolean
  tasks: Promise<void>
}

function createOpenIncidents() {
  const open = new Map<string, Open>()
  const ids = new Map<number, Open>()
  const closed = new Map<number, Open>()
  const keyTextOf = ({ row }: Pick<Open, 'row'>) => keyText(keyOf(row))
  function addClosed(known: Open): Open {
    closed.set(known.row.id, known)
    if (closed.size > keptClosed) closed.delete(closed.keys().next().value as number)
    return known
  }

  return {
    add(known: Pick<Open, 'row' | 'event' | 'restored'>): Open {
      const added: Open = { ...known, tasks: Promise.resolve() }
      const former = open.get(keyTextOf(added))
      if (former) ids.delete(former.row.id)
      open.set(keyTextOf(added), added)
      ids.set(added.row.id, added)
      return added
    },
    find: (key: IncidentKey) => open.get(keyText(key)),
    byId(id: number): Open {
      const found = ids.get(id)
      if (!found) throw new AppError('notFound', { resource: 'incident', id })
      return found
    },
    all: () => [...open.values()],
    remove(known: Open): void {
      open.delete(keyTextOf(known))
      ids.delete(known.row.id)
      addClosed(known)
    },
    addClosed,
    /** Open, or closed lately. */
    lately: (id: number): Open | undefined => ids.get(id) ?? closed.get(id),
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'notFound') return null
  throw error
}

interface Gone {
  source: IncidentEvent['source']
  sourceId: number
  serverId?: number
}

export function isGone(
  row: Pick<IncidentRow, 'source' | 'rule_id' | 'service_id' | 'server_id'>,
  { source, sourceId, serverId }: Gone,
): boolean {
  return (
    row.source === source &&
    (source === 'service' ? row.service_id : row.rule_id) === sourceId &&
    (serverId === undefined || row.server_id === serverId)
  )
}
