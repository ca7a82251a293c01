import type { Reading } from '@qd/core/define'

/** A rule on one server, or a monitor. */
export type IncidentKey =
  | { source: 'alert-rule'; sourceId: number; serverId: number }
  | { source: 'service'; sourceId: number }

export interface IncidentEvent {
  source: 'alert-rule' | 'service'
  sourceId: number
  /** Of a monitor: the reporter. */
  serverId: number
  /** Decides which tasks may run. */
  ownerId: number
  name: string
  groupId: number
  /** False: only recorded; tasks run, but no notification is sent. */
  notify: boolean
  message: string
  /** Label that mutes repeats (contract engines 4.8); null: never muted. A recovery lifts it. */
  mute: string | null
  tasks: readonly number[]
  reading: Reading | null
  error: string
  /** Notifies again while it lasts, subject to the mute. */
  repeats: boolean
  /** Fails in another way than before: notifies even if the mutes are unknown. */
  isNew?: boolean
}

export interface Incidents {
  failing(event: IncidentEvent): void
  recovered(event: IncidentEvent): void
  /** Closes without a notification: the rule, service or server is gone, disabled or changed. */
  drop(gone: { source: IncidentEvent['source']; sourceId: number; serverId?: number }): void
  isOpen(key: IncidentKey): boolean
  openSince(key: IncidentKey): number | null
  settled(): Promise<void>
}
