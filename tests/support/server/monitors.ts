import { selectionInitial } from '@qd/core/resources'
import { type AgentTask, createHub, type Hub } from '../../../apps/server/src/fleet/agents/hub.ts'
import type { ServiceRow } from '../../../apps/server/src/store/records/rows.ts'
import type { ServicePoint } from '../../../apps/server/src/watch/history/history.ts'
import type { IncidentEvent } from '../../../apps/server/src/watch/incidents/incident.ts'
import type { Incidents } from '../../../apps/server/src/watch/incidents/incidents.ts'
import { createMonitors, type Monitors } from '../../../apps/server/src/watch/monitors/monitors.ts'
import { createTestBase, type TestBase } from './base.ts'
import { createTestClock, type TestClock } from './clock.ts'

/** Monitors at work, with agents that answer by hand and everything else written down. */
export interface TestMonitors {
  readonly clock: TestClock
  readonly base: TestBase
  hub: Hub
  monitors: Monitors
  /** What the pipe of incidents was told. */
  readonly events: (IncidentEvent & { kind: 'failing' | 'recovered' })[]
  /** Services whose incidents were dropped, results that became history, and services with new figures. */
  readonly dropped: number[]
  readonly points: ServicePoint[]
  readonly announced: number[]
  /** Tasks that a server was sent, oldest first. */
  sentTo(serverId: number): AgentTask[]
  /** A new server of the administrator with an agent. */
  server(): Promise<number>
  connect(serverId: number): void
  /** Answers the newest task of a server. */
  answer(serverId: number, told?: { ok?: boolean; delay?: number; data?: string }): void
  add(fields?: Partial<ServiceRow>): Promise<ServiceRow>
  /** Stops and starts again on the same database, without agents. */
  restart(): Promise<void>
  close(): Promise<void>
}

const noDay = { up: 0, down: 0, delay: null }

/** Starts them on an empty database. */
export async function createTestMonitors(): Promise<TestMonitors> {
  const clock = createTestClock()
  const base = await createTestBase(clock)
  const sent = new Map<number, AgentTask[]>()
  const events: TestMonitors['events'] = []
  const dropped: number[] = []
  const points: ServicePoint[] = []
  const announced: number[] = []
  base.announcements.onAnnounce(({ id }) => announced.push(id))
  const incidents: Incidents = {
    failing: (event) => void events.push({ ...event, kind: 'failing' }),
    recovered: (event) => void events.push({ ...event, kind: 'recovered' }),
    drop: ({ sourceId }) => void dropped.push(sourceId),
    isOpen: () => false,
    openSince: () => null,
    settled: async () => undefined,
  }
  const build = (hub: Hub) =>
    createMonitors(base, {
      hub,
      history: {
        service: (point) => void points.push(point),
        serviceDays: () => Array.from({ length: 30 }, () => noDay),
        serviceTrend: () => [null, 4, null, 6],
      },
      incidents,
      notices: { send: () => undefined, lift: () => undefined, onDelivered() {}, settled: async () => undefined },
    })
  const hub = createHub(clock)
  const stage: TestMonitors = {
    clock,
    base,
    hub,
    monitors: build(hub),
    events,
    dropped,
    points,
    announced,
    sentTo: (serverId) => sent.get(serverId)!,
    async server() {
      const { id } = await base.addServer({ owner_id: base.admin.id })
      stage.connect(id)
      return id
    },
    connect(serverId) {
      const tasks = sent.get(serverId) ?? []
      sent.set(serverId, tasks)
      stage.hub.openTasks(serverId, { send: (task) => void tasks.push(task), fail: () => undefined })
    },
    answer(serverId, { ok = true, delay = 10, data = '' } = {}) {
      const { id, type } = stage.sentTo(serverId).at(-1)!
      stage.hub.result(serverId, { id: BigInt(id), type: BigInt(type), successful: ok, delay, data })
    },
    add: (fields) => base.services.insert({ ...selectionInitial, ...emptyService, owner_id: base.admin.id, ...fields }),
    async restart() {
      await stage.monitors.engine.stop()
      stage.hub = createHub(clock)
      stage.monitors = build(stage.hub)
      await stage.monitors.engine.start()
    },
    async close() {
      await stage.monitors.engine.stop()
      await base.close()
    },
  }
  await stage.monitors.engine.start()
  return stage
}

const emptyService = {
  name: 'shop',
  type: 3,
  target: '127.0.0.1:80',
  duration: 30,
  display_index: 0,
  cover: 0,
  skip_servers: [],
  notify: true,
  notification_group_id: 0,
  latency_notify: false,
  min_latency: 0,
  max_latency: 0,
  enable_trigger_task: false,
  fail_trigger_tasks: [],
  recover_trigger_tasks: [],
  hide_for_guest: false,
}
