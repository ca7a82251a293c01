import type { Reading } from '@qd/core/define'
import { IncidentState } from '@qd/core/resources'
import type { IncidentResponse } from '@qd/core/schemas'
import type { StoredRow } from '../../store/records/rows.ts'
import type { Delivery } from '../notices/types.ts'

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

type State = (typeof IncidentState)[keyof typeof IncidentState]

/** A response to an incident, by a person or automatic. Times are epoch ms. */
export interface StoredResponse {
  readonly at: number
  readonly kind: IncidentResponse['kind']
  readonly by: string
  readonly text: string
  readonly until: number | null
  readonly run: number
}

/** `created_at`: when the incident opened. Times are epoch ms. */
export interface IncidentRow extends StoredRow {
  readonly source: IncidentEvent['source']
  readonly rule_id: number
  readonly service_id: number
  readonly server_id: number
  readonly name: string
  readonly state: State
  readonly reading: Reading | null
  readonly error: string
  readonly closed_at: number | null
  readonly acked_by: string
  readonly acked_at: number | null
  readonly silenced_until: number | null
  /** Opened during a maintenance window. */
  readonly quiet: boolean
  readonly told: readonly Delivery[]
  readonly runs: readonly number[]
  readonly responses: readonly StoredResponse[]
  readonly notice_pending: boolean
  readonly tasks_pending: boolean
}

/** Maximum of deliveries, runs and responses per incident; the newest stay. */
const maxKept = 100
/** Mutes don't survive a restart: a lasting incident notifies again after the longest mute. */
const afterRestartMs = 24 * 3_600_000

export function keyText(key: IncidentKey): string {
  return key.source === 'service' ? `service ${key.sourceId}` : `rule ${key.sourceId} ${key.serverId}`
}

export function keyOf({ source, rule_id, service_id, server_id }: IncidentRow): IncidentKey {
  return source === 'service' ? { source, sourceId: service_id } : { source, sourceId: rule_id, serverId: server_id }
}

/** Notification and tasks are due next, or at the end of the maintenance window. */
export function opened(
  event: IncidentEvent,
  { id, now, quiet }: { id: number; now: number; quiet: boolean },
): IncidentRow {
  const { source, sourceId, serverId, ownerId, name, reading, error, notify } = event
  return {
    id,
    owner_id: ownerId,
    created_at: now,
    updated_at: now,
    source,
    rule_id: source === 'alert-rule' ? sourceId : 0,
    service_id: source === 'service' ? sourceId : 0,
    server_id: serverId,
    name,
    state: IncidentState.open,
    reading,
    error,
    closed_at: null,
    acked_by: '',
    acked_at: null,
    silenced_until: null,
    quiet,
    told: [],
    runs: [],
    responses: [],
    notice_pending: notify,
    tasks_pending: true,
  }
}

export interface DueActions {
  notice: boolean
  tasks: boolean
}

/** What is due for a failing incident. `restored`: it opened before the last start. */
export function dueActions(
  row: IncidentRow,
  { now, inWindow, repeats, restored }: { now: number; inWindow: boolean; repeats: boolean; restored: boolean },
): DueActions {
  if (inWindow) return { notice: false, tasks: false }
  const isSilent = row.state !== IncidentState.open
  const wasNotified = restored && now - (row.told.at(-1)?.at ?? row.created_at) < afterRestartMs
  return { notice: !isSilent && (row.notice_pending || (repeats && !wasNotified)), tasks: row.tasks_pending }
}

/** What is due when an incident closes: tasks only if those of the failure ran, a notification only if one was due. */
export function dueAtRecovery(
  { state, notice_pending, tasks_pending }: Pick<IncidentRow, 'state' | 'notice_pending' | 'tasks_pending'>,
  { notify }: Pick<IncidentEvent, 'notify'>,
): DueActions {
  return { notice: notify && !notice_pending && state !== IncidentState.silenced, tasks: !tasks_pending }
}

export const withoutDone = (row: IncidentRow, due: DueActions): IncidentRow => ({
  ...row,
  notice_pending: row.notice_pending && !due.notice,
  tasks_pending: row.tasks_pending && !due.tasks,
})

export const acknowledged = (row: IncidentRow, by: string, now: number): IncidentRow => ({
  ...row,
  state: IncidentState.acknowledged,
  acked_by: by,
  acked_at: now,
  silenced_until: null,
  notice_pending: false,
})

/** No notifications until `until`; then another one. */
export const silenced = (row: IncidentRow, until: number): IncidentRow => ({
  ...row,
  state: IncidentState.silenced,
  silenced_until: until,
  notice_pending: true,
})

/** Ends a silence. If a person ended it, a notification is due only if there was none before. */
export const audible = (row: IncidentRow, byPerson: boolean): IncidentRow => ({
  ...row,
  state: IncidentState.open,
  silenced_until: null,
  notice_pending: row.notice_pending && (!byPerson || row.told.length === 0),
})

export const closed = (row: IncidentRow, now: number): IncidentRow => ({
  ...row,
  state: IncidentState.closed,
  closed_at: now,
  notice_pending: false,
  tasks_pending: false,
})

export function withOutcome(
  row: IncidentRow,
  { told = [], runs = [], now = 0 }: Partial<Pick<IncidentRow, 'told' | 'runs'>> & { now?: number },
): IncidentRow {
  const started = runs.map((run) => ({ kind: 'run', at: now, run }) as const)
  return started.reduce<IncidentRow>(withResponse, {
    ...row,
    told: [...row.told, ...told].slice(-maxKept),
    runs: [...row.runs, ...runs].slice(-maxKept),
  })
}

export function withResponse(
  row: IncidentRow,
  response: Pick<StoredResponse, 'at' | 'kind'> & Partial<StoredResponse>,
): IncidentRow {
  return {
    ...row,
    responses: [...row.responses, { by: '', text: '', until: null, run: 0, ...response }].slice(-maxKept),
  }
}
