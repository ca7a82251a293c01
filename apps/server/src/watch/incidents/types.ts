import type { Reading } from '@qd/core/define'

/** What an incident is about: a rule on one server, or a monitor whichever server reports for it. */
export type IncidentKey =
  | { source: 'alert-rule'; sourceId: number; serverId: number }
  | { source: 'service'; sourceId: number }

/** Something fails or works again, as an engine says it. */
export interface IncidentEvent {
  source: 'alert-rule' | 'service'
  sourceId: number
  /** The server it is about; of a monitor the one that reports. */
  serverId: number
  /** Whose rule or monitor it is: decides which tasks may run. */
  ownerId: number
  name: string
  /** 0: none. */
  groupId: number
  /** False: the incident is recorded and its tasks run, but no notification is sent. */
  notify: boolean
  message: string
  /** Label under which repeats are muted (contract engines 4.8); null: never muted. A recovery lifts it. */
  mute: string | null
  /** Run once when the incident opens, or when it closes. */
  tasks: readonly number[]
  reading: Reading | null
  error: string
  /** Notifies again while it lasts, as often as the mute allows. */
  repeats: boolean
  /** It fails in another way than before: notify even if the mutes are unknown. */
  isNew?: boolean
}

/** The one way from an engine's verdict to record, notices and tasks, for rules and monitors alike. Calls answer at once; work goes on in order behind them. */
export interface Incidents {
  /** Opens an incident, or repeats the notification of the open one. */
  failing(event: IncidentEvent): void
  /** Closes the open incident, notifies and runs the tasks; does nothing if none is open. */
  recovered(event: IncidentEvent): void
  /** Closes without a notification: the rule, service or server is gone, disabled or changed. Without `serverId`: those of all servers. */
  drop(gone: { source: IncidentEvent['source']; sourceId: number; serverId?: number }): void
  isOpen(key: IncidentKey): boolean
  /** When the open one began (epoch ms); null if none is open. */
  openSince(key: IncidentKey): number | null
  /** Resolves when everything begun has been stored and sent. */
  settled(): Promise<void>
}
