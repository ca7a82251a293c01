import type { RuleCondition } from '@qd/core/define'
import { selectionInitial } from '@qd/core/resources'
import type { LiveStore } from '../../../apps/server/src/fleet/live/live-store.ts'
import { createAlerts } from '../../../apps/server/src/watch/alerts/alerts.ts'
import { createAlertMessage } from '../../../apps/server/src/watch/alerts/message.ts'
import type { Wanted } from '../../../apps/server/src/watch/hosts/watched.ts'
import { createIncidents } from '../../../apps/server/src/watch/incidents/incidents.ts'
import type { Notice } from '../../../apps/server/src/watch/notices/types.ts'
import { createTraffic } from '../../../apps/server/src/watch/traffic/traffic.ts'
import type { TestBase } from './base.ts'

/** More than 90 % of the processor for 9 s, on every server. */
export const cpu: RuleCondition = { type: 'cpu', max: 90, duration: 3, cover: 0 }

/** A rule of it that tells once. */
export const cpuRule = {
  ...selectionInitial,
  name: 'cpu high',
  enable: true,
  trigger_mode: 1,
  notification_group_id: 3,
  rules: [cpu],
  fail_trigger_tasks: [],
  recover_trigger_tasks: [],
}

/** Traffic, incidents and alerts at work; `known`: metrics of hosts as `3 updates`, by server; `sent`, `lifted` and `ran`: what they have told, which mutes they forgot, which tasks they began. */
export async function startAlerts(base: TestBase, live: LiveStore, known: ReadonlyMap<string, number> = new Map()) {
  const wanted: (() => Iterable<Wanted>)[] = []
  const hosts = {
    valueOf: (id: number, metric: string) => known.get(`${id} ${metric}`) ?? null,
    always: (source: () => Iterable<Wanted>) => void wanted.push(source),
  }
  const sent: Notice[] = []
  const lifted: string[] = []
  const ran: string[] = []
  const traffic = createTraffic(base, live)
  const pipe = createIncidents(base, {
    notices: {
      send: (notice) => void sent.push(notice),
      lift: (label) => void lifted.push(label),
      onDelivered() {},
      settled: async () => {},
    },
    runTriggered: async (ids, { serverId, ownerId, by }) => {
      ran.push(`${ids} on ${serverId} for ${ownerId} by ${by}`)
      return []
    },
    events: { record: () => {} },
  })
  const messageOf = createAlertMessage(base, live)
  const alerts = createAlerts(base, { live, traffic, incidents: pipe, messageOf, hosts })
  for (const { engine } of [traffic, pipe, alerts]) await engine.start()
  async function stop() {
    for (const { engine } of [alerts, pipe, traffic]) await engine.stop()
  }
  return { pipe, alerts, sent, lifted, ran, wanted: () => wanted.flatMap((source) => [...source()]), stop }
}
