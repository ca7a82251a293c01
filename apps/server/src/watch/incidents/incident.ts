import type { Reading } from '@qd/core/define'
import { IncidentState } from '@qd/core/resources'
import type { Deed } from '@qd/core/schemas'
import type { StoredRow } from '../../store/records/rows.ts'
import type { Delivery } from '../notices/types.ts'
import type { IncidentEvent, IncidentKey } from './types.ts'

type State = (typeof IncidentState)[keyof typeof IncidentState]

/** What somebody did with an incident, or what it started. Times are epoch ms. */
export interface StoredDeed {
  readonly at: number
  readonly kind: Deed['kind']
  readonly by: string
  readonly text: string
  readonly until: number | null
  readonly run: number
}

/** An incident as stored; `created_at` is when it opened. Times are epoch ms. */
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
  /** It opened during a maintenance window. */
  readonly quiet: boolean
  readonly told: readonly Delivery[]
  readonly runs: readonly number[]
  readonly deeds: readonly StoredDeed[]
  /** Its notification is still due. */
  readonly notice_pending: boolean
  /** Its tasks are still to run. */
  readonly tasks_pending: boolean
}

/** Messages and runs that one incident remembers, the newest. */
const maxKept = 100
/** After a restart, the mutes are unknown: an incident that lasts notifies again after the longest mute. */
const afterRestartMs = 24 * 3_600_000

/** The key of a thing that can fail, e.g. one rule on one server. */
export function keyText(key: IncidentKey): string {
  return key.source === 'service' ? `service ${key.sourceId}` : `rule ${key.sourceId} ${key.serverId}`
}

/** What a stored incident is about. */
export function keyOf({ source, rule_id, service_id, server_id }: IncidentRow): IncidentKey {
  return source === 'service' ? { source, sourceId: service_id } : { source, sourceId: rule_id, serverId: server_id }
}

/** The incident that an event opens: what it owes comes next, or when its maintenance window is over. Pure. */
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
    deeds: [],
    notice_pending: notify,
    tasks_pending: true,
  }
}

/** What an open incident that still fails is to do now. */
export interface DueActions {
  notice: boolean
  tasks: boolean
}

/** What is due of an incident that fails again or still. `inWindow`: a maintenance window covers it; `restored`: it is of before the last start. Pure. */
export function dueActions(
  row: IncidentRow,
  { now, inWindow, repeats, restored }: { now: number; inWindow: boolean; repeats: boolean; restored: boolean },
): DueActions {
  if (inWindow) return { notice: false, tasks: false }
  const isSilent = row.state !== IncidentState.open
  const wasNotified = restored && now - (row.told.at(-1)?.at ?? row.created_at) < afterRestartMs
  return { notice: !isSilent && (row.notice_pending || (repeats && !wasNotified)), tasks: row.tasks_pending }
}

/** What the end of an incident brings: tasks only where those of its failure ran, and a word only where somebody was to hear of it. Pure. */
export function dueAtRecovery(
  { state, notice_pending, tasks_pending }: Pick<IncidentRow, 'state' | 'notice_pending' | 'tasks_pending'>,
  { notify }: Pick<IncidentEvent, 'notify'>,
): DueActions {
  return { notice: notify && !notice_pending && state !== IncidentState.silenced, tasks: !tasks_pending }
}

/** It still fails, and this much of what it owed is done. Pure. */
export const withoutDone = (row: IncidentRow, due: DueActions): IncidentRow => ({
  ...row,
  notice_pending: row.notice_pending && !due.notice,
  tasks_pending: row.tasks_pending && !due.tasks,
})

/** A person has taken it: it notifies no more. Pure. */
export const acknowledged = (row: IncidentRow, by: string, now: number): IncidentRow => ({
  ...row,
  state: IncidentState.acknowledged,
  acked_by: by,
  acked_at: now,
  silenced_until: null,
  notice_pending: false,
})

/** No notifications until then; after that it notifies again. Pure. */
export const silenced = (row: IncidentRow, until: number): IncidentRow => ({
  ...row,
  state: IncidentState.silenced,
  silenced_until: until,
  notice_pending: true,
})

/** The silence is over. If a person ended it, a notification is due only if there was none before. Pure. */
export const audible = (row: IncidentRow, byPerson: boolean): IncidentRow => ({
  ...row,
  state: IncidentState.open,
  silenced_until: null,
  notice_pending: row.notice_pending && (!byPerson || row.told.length === 0),
})

/** It is over. Pure. */
export const closed = (row: IncidentRow, now: number): IncidentRow => ({
  ...row,
  state: IncidentState.closed,
  closed_at: now,
  notice_pending: false,
  tasks_pending: false,
})

/** With messages and runs that came of it; `now` is when the runs began. Pure. */
export function withOutcome(
  row: IncidentRow,
  { told = [], runs = [], now = 0 }: Partial<Pick<IncidentRow, 'told' | 'runs'>> & { now?: number },
): IncidentRow {
  const started = runs.map((run) => ({ kind: 'run', at: now, run }) as const)
  return started.reduce<IncidentRow>(withDeed, {
    ...row,
    told: [...row.told, ...told].slice(-maxKept),
    runs: [...row.runs, ...runs].slice(-maxKept),
  })
}

/** With what somebody did, or what it started. Pure. */
export function withDeed(row: IncidentRow, deed: Pick<StoredDeed, 'at' | 'kind'> & Partial<StoredDeed>): IncidentRow {
  return { ...row, deeds: [...row.deeds, { by: '', text: '', until: null, run: 0, ...deed }].slice(-maxKept) }
}
