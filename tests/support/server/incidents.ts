import { selectionInitial } from '@qd/core/resources'
import type { MaintenanceWindowRow } from '../../../apps/server/src/store/records/rows.ts'
import type { IncidentEvent, IncidentRow } from '../../../apps/server/src/watch/incidents/incident.ts'
import { createIncidents, type IncidentPipe } from '../../../apps/server/src/watch/incidents/incidents.ts'
import type { Notice, RecordDelivery } from '../../../apps/server/src/watch/notices/types.ts'
import { createTestBase, type TestBase } from './base.ts'
import { createTestClock, type TestClock } from './clock.ts'

/** Incidents whose notices go nowhere and whose tasks do nothing, on a database of their own. For tests. */
export interface TestPipe {
  readonly clock: TestClock
  readonly base: TestBase
  /** The present one; another after `restart`. */
  readonly pipe: IncidentPipe
  /** What was done since the last asking, in order: `told …`, `lifted …`, `ran …`, events of servers. */
  doneSince(): Promise<string[]>
  /** A rule that fails, of the admin on server 7. */
  event(fields?: Partial<IncidentEvent>): IncidentEvent
  /** The same rule, which is over. */
  over(fields?: Partial<IncidentEvent>): IncidentEvent
  /** A window from a second ago for a minute, of the admin over server 7. */
  addWindow(fields?: Partial<MaintenanceWindowRow>): Promise<MaintenanceWindowRow>
  newest(): Promise<IncidentRow>
  restart(): Promise<void>
}

/** How the only notifier took every message. */
export const told = { notification_id: 5, name: 'chat', ok: true, error: '' }

/** Starts one. */
export async function createTestPipe(): Promise<TestPipe> {
  const clock = createTestClock()
  const base = await createTestBase(clock)
  let done: string[] = []
  const start = async () => {
    let record: RecordDelivery = async () => {}
    const pipe = createIncidents(base, {
      notices: {
        send({ message, mute, incidents = [] }: Notice) {
          done.push(`told ${message} ${mute ?? 'unmuted'}`)
          void record(incidents, { ...told, at: clock.now() })
        },
        onDelivered(listener) {
          record = listener
        },
        lift: (label) => void done.push(`lifted ${label}`),
        settled: async () => {},
      },
      async runTriggered(ids, { serverId }) {
        done.push(`ran ${ids} on ${serverId}`)
        return ids.map((id) => id * 10)
      },
      events: { record: ({ kind, serverId }) => void done.push(`${kind} ${serverId}`) },
    })
    await pipe.engine.start()
    return pipe
  }
  let pipe = await start()
  const event = (fields: Partial<IncidentEvent> = {}): IncidentEvent => ({
    source: 'alert-rule',
    sourceId: 1,
    serverId: 7,
    ownerId: base.admin.id,
    name: 'cpu high',
    groupId: 3,
    notify: true,
    message: '[Incident] web',
    mute: 'alert 1 7',
    tasks: [4],
    reading: { metric: 'cpu', value: 99, limit: 90 },
    error: '',
    repeats: true,
    ...fields,
  })
  return {
    clock,
    base,
    get pipe() {
      return pipe
    },
    async doneSince() {
      await pipe.settled()
      return done.splice(0)
    },
    event,
    over: (fields = {}) => event({ message: '[Resolved] web', tasks: [5], ...fields }),
    addWindow: (fields = {}) =>
      base.maintenanceWindows.insert({
        owner_id: base.admin.id,
        name: 'work',
        starts_at: new Date(clock.now() - 1000).toISOString(),
        ends_at: new Date(clock.now() + 60_000).toISOString(),
        cover: 1,
        servers: [7],
        services: [],
        note: '',
        ...selectionInitial,
        ...fields,
      }),
    async newest() {
      const rows = await pipe.list({ owner: null }, { options: null, limit: 1 })
      return rows[0]!
    },
    async restart() {
      await pipe.engine.stop()
      done = []
      pipe = await start()
    },
  }
}
