import { AppError } from '@qd/core/errors'
import { IncidentState } from '@qd/core/resources'
import type { Base } from '../../base.ts'
import { createClearing } from '../../db/clearing.ts'
import type { Engine } from '../../engine.ts'
import type { Events } from '../../events/events.ts'
import type { Notices } from '../notices/types.ts'
import type { RunTriggered } from '../trigger-tasks.ts'
import {
  acknowledged,
  audible,
  closed,
  dutyOf,
  type IncidentRow,
  keyOf,
  keyText,
  opened,
  silenced,
  withOutcome,
} from './incident.ts'
import { createIncidentStore, type IncidentStore } from './incident-store.ts'
import { createIncidentWrites } from './incident-writes.ts'
import type { IncidentEvent, Incidents } from './types.ts'
import { createInWindow } from './windows.ts'

/** The pipe with what screens and other engines need of it. */
export interface IncidentPipe extends Incidents, Pick<IncidentStore, 'list' | 'counts' | 'get'> {
  /** Those that are not over, oldest first. */
  all(): readonly IncidentRow[]
  /** Servers on which this rule fails now. */
  failingServers(ruleId: number): readonly number[]
  ack(id: number, by: string): void
  /** `until` epoch ms. */
  silence(id: number, until: number): void
  unsilence(id: number): void
  readonly engine: Engine
}

interface Open {
  row: IncidentRow
  /** The newest of its events; null until its engine has spoken after a start. */
  event: IncidentEvent | null
  readonly restored: boolean
  /** Its tasks run one lot after the other. */
  tasks: Promise<void>
}

/** What is owed is looked at this often: a silence ends, a window is over. */
const lookEveryMs = 1000
const keepMs = 90 * 86_400_000
const keepIncidents = 20_000

/** Opens, tells of and closes incidents, in memory first and written behind. */
export function createIncidents(
  base: Base,
  { notices, runTriggered, events }: { notices: Notices; runTriggered: RunTriggered; events: Events },
): IncidentPipe {
  const { clock, retention, db, servers, announcements, log } = base
  const store = createIncidentStore(db)
  const writes = createIncidentWrites(base, store)
  const inWindow = createInWindow(base)
  const clearing = createClearing(base, 'old incidents', (isOver) =>
    store.prune({ before: retention.now() - keepMs, upTo: lastId - keepIncidents }, isOver),
  )
  const open = new Map<string, Open>()
  const working = new Set<Promise<void>>()
  let lastId = 0
  let isStopped = false
  const cancels: (() => void)[] = []

  function change(known: Open, row: IncidentRow) {
    if (isStopped) return
    known.row = { ...row, updated_at: Math.max(clock.now(), row.updated_at + 1) }
    writes.add(known.row)
    announce(known.row)
  }

  function announce({ id, owner_id: ownerId, source, rule_id, service_id }: IncidentRow) {
    announcements.announce({ resource: 'incident', id, ownerId })
    announcements.announce({ resource: source, id: source === 'service' ? service_id : rule_id, ownerId })
  }

  /** Rules are about a server; a monitor is not, whoever reports for it. */
  function note({ id, source, server_id: serverId, name }: IncidentRow, kind: 'incident-opened' | 'incident-closed') {
    if (source === 'alert-rule') events.record({ serverId, kind, params: { incident: id, name } })
  }

  function tell(
    known: Open,
    event: IncidentEvent,
    { mute, isOver = false }: { mute: string | null; isOver?: boolean },
  ) {
    const { groupId, ownerId, message, withServer, serverId, source, sourceId } = event
    notices.send({
      groupId,
      ownerId,
      message,
      serverId: withServer ? serverId : null,
      mute,
      cause: `${source} ${sourceId} ${isOver}`,
      told: (results) => change(known, withOutcome(known.row, { told: results })),
    })
  }

  function run(known: Open, { tasks, source, ownerId, serverId, name }: IncidentEvent) {
    if (tasks.length === 0) return
    known.tasks = known.tasks.then(async () => {
      const runs = await runTriggered(tasks, { ownerId, serverId, by: `${source} ${name}` })
      if (runs.length > 0) change(known, withOutcome(known.row, { runs }))
    })
    const { tasks: work } = known
    working.add(work)
    void work
      .finally(() => working.delete(work))
      .catch((error: unknown) => log.error({ err: error }, 'tasks of an incident'))
  }

  /** Does what is due of an incident that fails, now that its event is known. */
  function perform(known: Open, repeats: boolean) {
    const { row, event } = known
    if (!event) return
    const now = clock.now()
    const due = dutyOf(row, {
      now,
      inWindow: inWindow(row, now),
      repeats: repeats && event.notify,
      restored: known.restored && !event.isNew,
    })
    if ((due.notice && row.owes_notice) || due.tasks)
      change(known, { ...row, owes_notice: row.owes_notice && !due.notice, owes_tasks: row.owes_tasks && !due.tasks })
    if (due.tasks) run(known, event)
    if (!due.notice) return
    if (row.owes_notice && event.mute !== null && row.told.length > 0) notices.lift(event.mute, event.groupId)
    tell(known, event, { mute: event.mute })
  }

  function close(key: string, known: Open) {
    open.delete(key)
    change(known, closed(known.row, clock.now()))
    note(known.row, 'incident-closed')
  }

  /** Closes what matches without a word; its mute is forgotten with it. */
  function dropWhere(matches: (row: IncidentRow) => boolean) {
    for (const [key, known] of [...open]) {
      if (!matches(known.row)) continue
      const { event } = known
      if (event?.mute) notices.lift(event.mute, event.groupId)
      close(key, known)
    }
  }

  function look() {
    const now = clock.now()
    for (const known of open.values()) {
      const { state, silenced_until: until } = known.row
      if (state === IncidentState.silenced && (until ?? 0) <= now) change(known, audible(known.row, false))
      if (known.row.owes_notice || known.row.owes_tasks) perform(known, false)
    }
    cancels[0] = clock.after(lookEveryMs, look)
  }

  function byId(id: number): Open {
    const found = [...open.values()].find(({ row }) => row.id === id)
    if (!found) throw new AppError('notFound', { resource: 'incident', id })
    return found
  }

  async function settled() {
    while (working.size > 0) await Promise.all(working)
    await writes.settled()
  }

  return {
    failing(event) {
      const key = keyText(event)
      const known = open.get(key)
      if (known) {
        known.event = event
        if (event.isNew) change(known, { ...known.row, error: event.error, reading: event.reading })
        return perform(known, event.repeats)
      }
      const now = clock.now()
      lastId += 1
      const row = opened(event, { id: lastId, now, quiet: false })
      const added: Open = { row, event, restored: false, tasks: Promise.resolve() }
      open.set(key, added)
      change(added, { ...row, quiet: inWindow(row, now) })
      note(row, 'incident-opened')
      perform(added, false)
    },
    recovered(event) {
      const key = keyText(event)
      const known = open.get(key)
      if (!known) return
      const { state, owes_notice, owes_tasks } = known.row
      close(key, known)
      if (event.mute !== null) notices.lift(event.mute, event.groupId)
      if (!owes_tasks) run(known, event)
      if (event.notify && !owes_notice && state !== IncidentState.silenced)
        tell(known, event, { mute: null, isOver: true })
    },
    drop({ source, sourceId, serverId }) {
      dropWhere(
        (row) =>
          row.source === source &&
          (source === 'service' ? row.service_id : row.rule_id) === sourceId &&
          (serverId === undefined || row.server_id === serverId),
      )
    },
    isOpen: (key) => open.has(keyText(key)),
    settled,
    all: () => [...open.values()].map(({ row }) => row),
    failingServers: (ruleId) =>
      [...open.values()].filter(({ row }) => row.rule_id === ruleId).map(({ row }) => row.server_id),
    async list(scope, wanted) {
      await settled()
      return store.list(scope, wanted)
    },
    async counts(scope) {
      await settled()
      return store.counts(scope)
    },
    async get(id) {
      await settled()
      return store.get(id)
    },
    ack(id, by) {
      const known = byId(id)
      change(known, acknowledged(known.row, by, clock.now()))
    },
    silence(id, until) {
      const known = byId(id)
      change(known, silenced(known.row, until))
    },
    unsilence(id) {
      const known = byId(id)
      change(known, audible(known.row, true))
    },
    engine: {
      name: 'incidents',
      async start() {
        lastId = await store.lastId()
        for (const row of await store.open()) {
          open.set(keyText(keyOf(row)), { row, event: null, restored: true, tasks: Promise.resolve() })
        }
        cancels[1] = servers.onChange(({ before, after }) => {
          if (before && !after) dropWhere((row) => row.source === 'alert-rule' && row.server_id === before.id)
        })
        look()
        clearing.start()
      },
      trouble: writes.trouble,
      async stop() {
        for (const cancel of cancels) cancel()
        await clearing.stop()
        await settled()
        // Who is told from now on is not written down any more: the database is about to close.
        isStopped = true
        await writes.finish()
      },
    },
  }
}
