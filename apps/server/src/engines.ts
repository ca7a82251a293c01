import { watchOnlyTasks } from '@qd/protocol/task-types'
import type { Enrollment } from './access/enrollment.ts'
import { createHub } from './agents/hub.ts'
import type { Base } from './base.ts'
import type { Engines } from './container.ts'
import type { Engine } from './engine.ts'
import { createEvents } from './events/event-store.ts'
import { createHistory } from './history/recorder.ts'
import type { UpdateKey } from './install/update-key.ts'
import { createAlerts } from './jobs/alerts/alerts.ts'
import { createBacktest } from './jobs/alerts/backtest-run.ts'
import { createAlertMessage } from './jobs/alerts/message.ts'
import { createAuditClearing } from './jobs/audit-clearing.ts'
import { createDdns } from './jobs/ddns/ddns.ts'
import { createFollowing } from './jobs/following/following.ts'
import { createIncidents } from './jobs/incidents/incidents.ts'
import { createIpChange } from './jobs/ip-change.ts'
import { createMaintenance } from './jobs/maintenance.ts'
import { createMonitors } from './jobs/monitors/monitors.ts'
import { createDelivery } from './jobs/notices/delivery.ts'
import { createNotices } from './jobs/notices/notices.ts'
import { createRotations } from './jobs/rotations.ts'
import { createLedger } from './jobs/runs/ledger.ts'
import { noteRuns } from './jobs/runs/run-events.ts'
import { createScheduler } from './jobs/scheduler.ts'
import { createTaskNotices } from './jobs/task-notices.ts'
import { createTraffic } from './jobs/traffic/traffic.ts'
import { createTransferEngine } from './jobs/transfers.ts'
import { createTriggerTasks } from './jobs/trigger-tasks.ts'
import { createLastSeen } from './live/last-seen.ts'
import { createLiveStore } from './live/live-store.ts'
import { createAllowlist } from './net/allowlist.ts'
import { createOutbound } from './net/outbound.ts'
import { createAgentConfigs } from './operations/agent-configs.ts'
import { createQuestions } from './operations/questions.ts'
import type { MutableAccounts } from './records/accounts.ts'
import { createAgentService } from './rpc/agents.ts'
import { createCountryOf } from './rpc/country.ts'
import { createCredentialsFirst } from './rpc/credentials-first.ts'
import { createGuard } from './rpc/guard.ts'
import { createRefusalLog } from './rpc/refusal-log.ts'
import { createRivals } from './rpc/rivals.ts'
import { createStreams } from './streams/streams.ts'
import { createLiveSockets } from './ws/live-sockets.ts'
import { createStreamSockets } from './ws/stream-sockets.ts'
import { createTransferSockets } from './ws/transfer-sockets.ts'
import { createUpgrades } from './ws/upgrades.ts'

/** Agents keep their streams this long after the server has said goodbye. */
const goodbyeMs = 300

/** Builds live state, agent hub, run ledger, scheduler and websockets. */
export function createEngines(
  base: Base & { accounts: MutableAccounts; enrollment: Enrollment; updateKey: Pick<UpdateKey, 'publicKey'> },
): Engines {
  const live = createLiveStore(base)
  const hub = createHub(
    base.clock,
    (serverId, type) => !live.hostOf(serverId).watch_only || watchOnlyTasks.has(BigInt(type)),
  )
  const { history, engine: historyEngine } = createHistory(base, live)
  const events = createEvents(base, live)
  const questions = createQuestions({ hub, clock: base.clock })
  const agentConfigs = createAgentConfigs(questions)
  const outbound = createOutbound({
    resolve: base.resolve,
    allowlist: () => createAllowlist(base.settings.get().outbound_allowlist),
  })
  const deliver = createDelivery({ ...base, outbound, live })
  const notices = createNotices(base, deliver)
  const ddns = createDdns(base, { live, outbound })
  const runs = createLedger(base, { hub, live })
  noteRuns(runs.onClosed, { ...base, events })
  const incidents = createIncidents(base, { notices, runTriggered: createTriggerTasks(base, runs), events })
  const monitors = createMonitors(base, { hub, history, incidents, notices })
  const traffic = createTraffic(base, live)
  const messageOf = createAlertMessage(base, live)
  const alerts = createAlerts(base, { live, traffic, incidents, messageOf })
  const sockets = createLiveSockets(base, live, runs.onProgress)
  const streams = createStreams(base, hub)
  const moves = createTransferEngine(base, { hub, live })
  const rotations = createRotations(base, { hub, live, moves })
  const routes = [
    sockets.route,
    createStreamSockets(base, streams, 'terminal'),
    createStreamSockets(base, streams, 'file'),
    createTransferSockets(base),
  ]
  const upgrades = createUpgrades(base, routes)
  const service = createAgentService({
    base,
    live,
    hub,
    streams,
    rivals: createRivals(base, events),
    countryOf: createCountryOf(base),
    callers: createCredentialsFirst({
      identify: createGuard(base, { ...base, moves, rotations }, createRefusalLog(base)),
      clients: base.clients,
      vouch: base.strangers.vouch,
      updateKey: base.updateKey.publicKey,
    }),
  })
  const agents: Engine = {
    name: 'agents',
    // Thousands of connections take more than a second to end.
    patienceMs: 2500,
    async start() {
      hub.start()
    },
    trouble: () => null,
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
    streams,
    moves,
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
      moves.engine,
      createScheduler(base, runs),
      events.engine,
      incidents.engine,
      monitors.engine,
      traffic.engine,
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
