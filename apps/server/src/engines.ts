import { watchOnlyTasks } from '@qd/protocol/task-types'
import type { Enrollment } from './access/enrollment.ts'
import { createDdns } from './act/ddns/ddns.ts'
import { createZoneFinder, type FindZone } from './act/ddns/zone.ts'
import { createFollowing } from './act/following.ts'
import { createLogReadings } from './act/hosts/logs.ts'
import { createHostReadings } from './act/hosts/readings.ts'
import { createAgentConfigs, createQuestions } from './act/operations/questions.ts'
import { createTransferEngine } from './act/ownership-transfers.ts'
import { createRotations } from './act/rotations.ts'
import { createLedger, noteRuns } from './act/runs/ledger.ts'
import { createScheduler } from './act/scheduler.ts'
import { createTriggerTasks } from './act/trigger-tasks.ts'
import type { Engines } from './api/container.ts'
import { createLiveSockets } from './api/ws/live-sockets.ts'
import { createLogSockets } from './api/ws/log-sockets.ts'
import { createStreamSockets, createTransferSockets } from './api/ws/stream-sockets.ts'
import { createUpgrades } from './api/ws/upgrades.ts'
import type { Base } from './base.ts'
import { createAbilities } from './fleet/agents/abilities.ts'
import { createHub } from './fleet/agents/hub.ts'
import { createEvents } from './fleet/events/event-store.ts'
import type { UpdateKey } from './fleet/install/agent-files.ts'
import { createLastSeen, createLiveStore } from './fleet/live/live-store.ts'
import { createAgentService } from './fleet/rpc/agents.ts'
import { createGuard, createRefusalLog } from './fleet/rpc/authenticate.ts'
import { createCountryOf } from './fleet/rpc/country.ts'
import { createCredentialsFirst } from './fleet/rpc/credentials-first.ts'
import { createDuplicateAgents } from './fleet/rpc/duplicate-agents.ts'
import { createStreams } from './fleet/streams/streams.ts'
import type { Engine } from './kernel/engine.ts'
import { createAllowlist } from './kernel/net/allowlist.ts'
import { createOutbound, type Outbound } from './kernel/net/outbound.ts'
import type { MutableAccounts } from './store/records/accounts.ts'
import { createAlerts } from './watch/alerts/alerts.ts'
import { createBacktest } from './watch/alerts/backtest-run.ts'
import { createAlertMessage } from './watch/alerts/message.ts'
import { createAuditClearing } from './watch/audit-clearing.ts'
import { createHistory } from './watch/history/recorder.ts'
import { createGrowth } from './watch/hosts/growth.ts'
import { createWatchedHosts } from './watch/hosts/watched.ts'
import { createIncidents } from './watch/incidents/incidents.ts'
import { createMaintenance } from './watch/incidents/windows.ts'
import { createIpChange } from './watch/ip-change.ts'
import { createMonitors } from './watch/monitors/monitors.ts'
import { createDelivery } from './watch/notices/delivery.ts'
import { createNotices } from './watch/notices/notices.ts'
import { createTaskNotices } from './watch/task-notices.ts'
import { createTraffic } from './watch/traffic/traffic.ts'

const goodbyeMs = 300

interface SimulatedParts {
  outbound: Outbound
  findZone: FindZone
  countryOf(address: string): string
}

export function createEngines(
  base: Base & { accounts: MutableAccounts; enrollment: Enrollment; updateKey: Pick<UpdateKey, 'publicKey'> },
  simulated: Partial<SimulatedParts> = {},
): Engines {
  const live = createLiveStore(base)
  const hub = createHub(
    base.clock,
    (serverId, type) => !live.hostOf(serverId).watch_only || watchOnlyTasks.has(BigInt(type)),
    base.mayAct,
  )
  const { history, engine: historyEngine } = createHistory(base, live)
  const events = createEvents(base, live)
  const questions = createQuestions({ hub, clock: base.clock })
  const agentConfigs = createAgentConfigs(questions)
  const abilities = createAbilities(hub)
  const withGrowth = createGrowth(base.clock, history)
  const hostReadings = createHostReadings({
    ...{ hub, abilities, live, questions, clock: base.clock, log: base.log },
    complete: async (kind, serverId, rows) => (kind === 'filesystem' ? withGrowth(serverId, rows) : rows),
  })
  const watchedHosts = createWatchedHosts(base, { hub, readings: hostReadings, history })
  abilities.onTold(watchedHosts.expire)
  const outbound =
    simulated.outbound ??
    createOutbound({
      resolve: base.resolve,
      mayAct: base.mayAct,
      allowlist: () => createAllowlist(base.settings.get().outbound_allowlist),
    })
  const deliver = createDelivery({ ...base, outbound, live })
  const notices = createNotices(base, deliver)
  const findZone = simulated.findZone ?? createZoneFinder(() => base.settings.get().dns_servers)
  const ddns = createDdns(base, { live, outbound, findZone })
  const runs = createLedger(base, { hub, live })
  noteRuns(runs.onClosed, { ...base, events })
  // A command may have changed what runs there.
  runs.onClosed(({ serverId }) => {
    hostReadings.expire(serverId)
    watchedHosts.expire(serverId)
  })
  const incidents = createIncidents(base, { notices, runTriggered: createTriggerTasks(base, runs), events })
  const monitors = createMonitors(base, { hub, history, incidents, notices })
  const traffic = createTraffic(base, live)
  const messageOf = createAlertMessage(base, live)
  const alerts = createAlerts(base, { live, traffic, incidents, messageOf, hosts: watchedHosts })
  const sockets = createLiveSockets(base, { live, watched: watchedHosts }, runs.onProgress)
  const streams = createStreams(base, hub)
  const logReadings = createLogReadings(base, { hub, abilities, streams })
  const ownershipTransfers = createTransferEngine(base, { hub, live })
  const rotations = createRotations(base, { hub, live, ownershipTransfers })
  const routes = [
    sockets.route,
    createStreamSockets(base, streams, 'terminal'),
    createStreamSockets(base, streams, 'file'),
    createLogSockets(base, logReadings),
    createTransferSockets(base),
  ]
  const upgrades = createUpgrades(base, routes)
  const service = createAgentService({
    base,
    live,
    hub,
    streams,
    duplicateAgents: createDuplicateAgents(base, events),
    countryOf: simulated.countryOf ?? createCountryOf(base),
    callers: createCredentialsFirst({
      identify: createGuard(base, { ...base, ownershipTransfers, rotations }, createRefusalLog(base)),
      clients: base.clients,
      authenticated: base.unauthenticated.authenticated,
      updateKey: base.updateKey.publicKey,
    }),
  })
  const agents: Engine = {
    name: 'agents',
    // Thousands of connections take more than a second to end.
    timeoutMs: 2500,
    async start() {
      hub.start()
    },
    async stop() {
      hub.stop()
      await service.stop(goodbyeMs)
    },
  }
  return {
    live,
    agents: hub,
    runs,
    agentConfigs,
    questions,
    hostReadings,
    logReadings,
    watchedHosts,
    streams,
    ownershipTransfers,
    rotations,
    notices,
    deliver,
    ddnsUpdates: ddns,
    history,
    events,
    incidents,
    monitors,
    alerts,
    messageOf,
    backtest: createBacktest(base, { history, live }),
    online: sockets.online,
    all: [
      notices.engine,
      historyEngine,
      createLastSeen(base, live),
      createTaskNotices(base, { runs, notices }),
      createIpChange(base, { live, notices }),
      ddns.engine,
      runs.engine,
      sockets.engine,
      agents,
      streams.engine,
      ownershipTransfers.engine,
      createScheduler(base, runs),
      events.engine,
      incidents.engine,
      monitors.engine,
      traffic.engine,
      watchedHosts.engine,
      alerts.engine,
      createAuditClearing(base),
      createFollowing(base),
      createMaintenance(base, live),
    ],
    acceptAgent: service.accept,
    acceptUpgrade: upgrades.accept,
    answerPlain: upgrades.answerPlain,
  }
}
