import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Enrollment } from './access/enrollment.ts'
import type { Limits } from './access/limits.ts'
import type { OAuth2 } from './access/oauth2.ts'
import type { SecondFactor } from './access/second-factor.ts'
import type { Sessions } from './access/sessions.ts'
import type { StepUp } from './access/step-up.ts'
import type { AgentHub } from './agents/hub.ts'
import type { Base } from './base.ts'
import type { Engine } from './engine.ts'
import type { EventStore } from './events/event-store.ts'
import type { History } from './history/history.ts'
import type { Alerts } from './jobs/alerts/alerts.ts'
import type { createBacktest } from './jobs/alerts/backtest-run.ts'
import type { AlertMessage } from './jobs/alerts/message.ts'
import type { Ddns } from './jobs/ddns/ddns.ts'
import type { IncidentPipe } from './jobs/incidents/incidents.ts'
import type { Monitors } from './jobs/monitors/types.ts'
import type { Deliver } from './jobs/notices/delivery.ts'
import type { Notices } from './jobs/notices/types.ts'
import type { Rotations } from './jobs/rotations.ts'
import type { RunLedger } from './jobs/runs/run-types.ts'
import type { Transfers } from './jobs/transfers.ts'
import type { LiveState } from './live/live-state.ts'
import type { Online } from './live/online.ts'
import type { AgentConfigs } from './operations/agent-configs.ts'
import type { Questions } from './operations/questions.ts'
import type { MutableAccounts } from './records/accounts.ts'
import type { Bindings } from './records/bindings.ts'
import type { Records, SignInProviderRow } from './records/rows.ts'
import type { MutableSettings } from './records/settings.ts'
import type { Streams } from './streams/streams.ts'

/** The engines: parts that work by themselves while the server runs. `createEngines` in engines.ts builds them. */
export interface Engines {
  live: LiveState
  agents: AgentHub
  runs: RunLedger
  agentConfigs: AgentConfigs
  questions: Questions
  streams: Streams
  moves: Transfers
  rotations: Pick<Rotations, 'begin' | 'end'>
  notices: Notices
  deliver: Deliver
  ddnsUpdates: Pick<Ddns, 'update'>
  history: History
  events: EventStore
  incidents: IncidentPipe
  monitors: Monitors
  alerts: Alerts
  /** The text that tells of a rule. */
  messageOf: AlertMessage
  /** Where a rule would have fired. */
  backtest: ReturnType<typeof createBacktest>
  /** Who has a live connection, the longest first. */
  online(): readonly Online[]
  /** Started in order, stopped in reverse. */
  all: readonly Engine[]
  /** Takes a cleartext HTTP/2 connection of an agent. */
  acceptAgent(socket: Duplex): void
  /** Answers a websocket upgrade below `/api/v1/ws/`; true if the path is one of its own. */
  acceptUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean
  /** Answers a plain request on a websocket route (contract 5.1: 400, or the refusal an upgrade would get); true if it did. */
  answerPlain(request: IncomingMessage, response: ServerResponse): boolean
}

/** Every part of the running server, for what answers routes. */
export interface Container extends Base, Engines {
  accounts: MutableAccounts
  enrollment: Enrollment
  settings: MutableSettings
  sessions: Sessions
  limits: Limits
  secondFactor: SecondFactor
  oauth2: OAuth2
  bindings: Bindings
  signInProviders: Records<SignInProviderRow>
  stepUp: StepUp
  /** The site's own agent secret, for hosts that are nobody's. */
  agentSecret: string
}
