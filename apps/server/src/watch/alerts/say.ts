import { TriggerMode } from '@qd/core/resources'
import type { AlertRuleRow } from '../../store/records/rows.ts'
import type { IncidentEvent } from '../incidents/types.ts'
import type { Verdict } from './conditions.ts'
import { readingOf } from './judge.ts'
import { type AlertMessage, mark } from './message.ts'
import type { Pair, WatchedRule } from './watched-rule.ts'

/** A lasting failure repeats with every fifth sample; the mute passes one message per 15 min at most. */
const repeatEvery = 5

export function whatToSay(
  { isFailing, isSaid }: Pick<Pair, 'isFailing' | 'isSaid'>,
  verdict: Verdict,
  isRepeat: boolean,
): 'failing' | 'recovered' | null {
  if (verdict === 'failing') return !isFailing || !isSaid || isRepeat ? 'failing' : null
  return verdict === 'passing' && isFailing ? 'recovered' : null
}

/** Whether a lasting failure repeats at this tick. Rules take turns. */
export const isRepeatTick = ({ row }: { row: Pick<AlertRuleRow, 'id' | 'trigger_mode'> }, tick: number): boolean =>
  row.trigger_mode === TriggerMode.always && (tick + row.id) % repeatEvery === 0

export function eventOf(
  { row, conditions }: WatchedRule,
  { subject, memory, since }: Pair,
  says: 'failing' | 'recovered',
  messageOf: AlertMessage,
): IncidentEvent {
  const { id: serverId, sample } = subject
  const { id: sourceId, owner_id: ownerId, name, notification_group_id: groupId } = row
  const isFailing = says === 'failing'
  const reading = readingOf(conditions, memory, sample)
  return {
    source: 'alert-rule',
    sourceId,
    serverId,
    ownerId,
    name,
    groupId,
    notify: true,
    message: messageOf(isFailing ? mark.failing : mark.recovered, serverId, name, { reading, since }),
    mute: `alert ${sourceId} ${serverId}`,
    tasks: isFailing ? row.fail_trigger_tasks : row.recover_trigger_tasks,
    reading,
    error: '',
    repeats: row.trigger_mode === TriggerMode.always,
  }
}
