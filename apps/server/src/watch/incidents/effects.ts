import type { RunTriggered } from '../../act/trigger-tasks.ts'
import type { Base } from '../../base.ts'
import type { Events } from '../../fleet/events/events.ts'
import type { Notices } from '../notices/types.ts'
import { type IncidentRow, withOutcome } from './incident.ts'
import type { Open } from './open-incidents.ts'
import type { IncidentEvent } from './types.ts'

/** The effects of incidents: notices, tasks and events. `change` gets the results. */
export interface Effects {
  /** Announces the incident, so that clients fetch the incident, its rule or its monitor again. */
  announce(row: IncidentRow): void
  /** Writes it into the events of the server. */
  note(row: IncidentRow, kind: 'incident-opened' | 'incident-closed'): void
  /** Tells the group. `mute` null: never muted. */
  tell(known: Open, event: IncidentEvent, how: { mute: string | null; isOver?: boolean }): void
  /** What was muted with this event is told again from now on. */
  lift(event: IncidentEvent): void
  /** Runs the tasks of an event, after those of the same incident that run already. */
  run(known: Open, event: IncidentEvent): void
  /** Resolves when no task is being started any more. */
  done(): Promise<void>
}

/** `change` stores an incident as it is now. */
export function createEffects(
  { announcements, clock, log }: Pick<Base, 'announcements' | 'clock' | 'log'>,
  parts: { notices: Notices; runTriggered: RunTriggered; events: Events; change(known: Open, row: IncidentRow): void },
): Effects {
  const { notices, runTriggered, events, change } = parts
  const working = new Set<Promise<void>>()
  return {
    announce({ id, owner_id: ownerId, source, rule_id, service_id }) {
      announcements.announce({ resource: 'incident', id, ownerId })
      announcements.announce({ resource: source, id: source === 'service' ? service_id : rule_id, ownerId })
    },
    note({ id, source, server_id: serverId, name }, kind) {
      // Rules are about a server; a monitor is not, whoever reports for it.
      if (source === 'alert-rule') events.record({ serverId, kind, params: { incident: id, name } })
    },
    tell(known, { groupId, ownerId, message, serverId, source, sourceId }, { mute, isOver = false }) {
      notices.send({
        groupId,
        ownerId,
        message,
        serverId,
        mute,
        cause: `${source} ${sourceId} ${isOver}`,
        told: (results) => change(known, withOutcome(known.row, { told: results })),
      })
    },
    lift({ mute, groupId }) {
      if (mute !== null) notices.lift(mute, groupId)
    },
    run(known, { tasks, source, ownerId, serverId, name }) {
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
    async done() {
      while (working.size > 0) await Promise.all(working)
    },
  }
}
