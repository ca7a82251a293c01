import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Enrollment } from '../access/enrollment.ts'
import type { Limits } from '../access/limits.ts'
import type { OAuth2 } from '../access/oauth2.ts'
import type { SecondFactor } from '../access/second-factor.ts'
import type { Sessions } from '../access/sessions.ts'
import type { StepUp } from '../access/step-up.ts'
import type { Ddns } from '../act/ddns/ddns.ts'
import type { LogReadings } from '../act/hosts/logs.ts'
import type { HostReadings } from '../act/hosts/readings.ts'
import type { AgentConfigs, Questions } from '../act/operations/questions.ts'
import type { OwnershipTransfers } from '../act/ownership-transfers.ts'
import type { Rotations } from '../act/rotations.ts'
import type { Ledger } from '../act/runs/ledger.ts'
import type { Base } from '../base.ts'
import type { AgentHub } from '../fleet/agents/hub.ts'
import type { EventStore } from '../fleet/events/event-store.ts'
import type { NezhaRelease } from '../fleet/install/nezha-release.ts'
import type { LiveState } from '../fleet/live/live-store.ts'
import type { Online } from '../fleet/live/view.ts'
import type { Streams } from '../fleet/streams/streams.ts'
import type { Engine } from '../kernel/engine.ts'
import type { MutableAccounts } from '../store/records/accounts.ts'
import type { Bindings } from '../store/records/bindings.ts'
import type { Records, SignInProviderRow } from '../store/records/rows.ts'
import type { MutableSettings } from '../store/records/settings.ts'
import type { Alerts } from '../watch/alerts/alerts.ts'
import type { createBacktest } from '../watch/alerts/backtest-run.ts'
import type { AlertMessage } from '../watch/alerts/message.ts'
import type { History } from '../watch/history/history.ts'
import type { WatchedHosts } from '../watch/hosts/watched.ts'
import type { IncidentPipe } from '../watch/incidents/incidents.ts'
import type { Monitors } from '../watch/monitors/monitors.ts'
import type { Deliver } from '../watch/notices/delivery.ts'
import type { Notices } from '../watch/notices/types.ts'

export interface Engines {
  live: LiveState
  agents: AgentHub
  runs: Ledger
  agentConfigs: AgentConfigs
  questions: Questions
  hostReadings: HostReadings
  logReadings: LogReadings
  watchedHosts: WatchedHosts
  streams: Streams
  ownershipTransfers: OwnershipTransfers
  rotations: Pick<Rotations, 'begin' | 'end'>
  notices: Notices
  deliver: Deliver
  ddnsUpdates: Pick<Ddns, 'update'>
  history: History
  events: EventStore
  incidents: IncidentPipe
  monitors: Monitors
  alerts: Alerts
  messageOf: AlertMessage
  backtest: ReturnType<typeof createBacktest>
  online(): readonly Online[]
  /** Started in order, stopped in reverse. */
  all: readonly Engine[]
  acceptAgent(socket: Duplex): void
  acceptUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): boolean
  /** Answers a plain request on a websocket route (contract 5.1). Returns whether it did. */
  answerPlain(request: IncomingMessage, response: ServerResponse): boolean
}

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
  /** The site's own agent secret, for hosts without an owner. */
  agentSecret: string
  nezha: NezhaRelease
}
