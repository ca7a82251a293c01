import { isHostMetric, type Reading } from '@qd/core/define'
import { unitOf } from '@qd/core/fields'
import { notFillingS, TriggerMode } from '@qd/core/resources'
import { templateBytes } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { shownAddress } from '../../kernel/net/address-ranges.ts'
import type { AlertRuleRow } from '../../store/records/rows.ts'
import type { IncidentEvent } from '../incidents/incident.ts'
import type { Verdict } from './conditions.ts'
import { readingOf } from './judge.ts'
import type { Pair, WatchedRule } from './watched-rule.ts'

export const mark = { failing: '[Incident]', recovered: '[Resolved]', test: '[Test] [Incident]' } as const

/** In seconds. */
const [hour, day] = [3_600, 86_400]

export interface Measured {
  readonly reading: Reading
  readonly since: number | null
}

/** The text of an alert: `[Incident] {server}({ip}) {rule}` (contract engines 15) with `: cpu 95.0 %, limit 90.0 %, since 2026-11-20 12:00:00`. */
export type AlertMessage = (
  begin: (typeof mark)[keyof typeof mark],
  serverId: number,
  ruleName: string,
  measured?: Measured,
) => string

export function createAlertMessage(
  { servers, settings }: Pick<Base, 'servers' | 'settings'>,
  live: Pick<LiveState, 'geoipOf'>,
): AlertMessage {
  return (begin, serverId, ruleName, measured) => {
    const address = shownAddress(live.geoipOf(serverId), settings.get().enable_plain_ip_in_notification === true)
    return `${begin} ${servers.find(serverId)?.name ?? ''}(${address}) ${ruleName}${measured ? detailOf(measured, begin === mark.failing ? 'since' : 'began', settings.timeZone()) : ''}`
  }
}

function detailOf(
  { reading: { metric, value, limit }, since }: Measured,
  from: 'since' | 'began',
  timeZone: string,
): string {
  const name = metric === 'offline' ? [] : [metric]
  const known = unitOf(metric) === 'none' ? name : [`${metric} ${valueText(metric, value)}`]
  if (limit !== null) known.push(`limit ${written(metric, limit)}`)
  if (since !== null) known.push(`${from} ${timeOf(since, timeZone)}`)
  return known.length === 0 ? '' : `: ${known.join(', ')}`
}

function valueText(metric: string, value: number | null): string {
  if (value === null) return 'unknown'
  return unitOf(metric) === 'duration' && value >= notFillingS ? 'not filling up' : written(metric, value)
}

function written(metric: string, value: number): string {
  switch (unitOf(metric)) {
    case 'percent':
      return `${value.toFixed(1)} %`
    case 'celsius':
      return `${value.toFixed(1)} °C`
    case 'duration':
      return value < 3 * day ? `${Math.floor(value / hour)} h` : `${Math.floor(value / day)} d`
    case 'rate':
      return `${templateBytes(value)}/s`
    case 'bytes':
      return templateBytes(value)
    default:
      // More than none is a limit of 0.5.
      return String(isHostMetric(metric) ? Math.floor(value) : Math.round(value * 100) / 100)
  }
}

function timeOf(at: number, timeZone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone })
}

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
