import { type AnyRow, type SayContext, type StateText, textKey } from '../define/index.ts'
import { defined } from '../errors.ts'
import { type Host, type HostState, isMeasured, isReported, isSampled, type WatchedMetrics } from '../schemas/index.ts'
import { fullInLimits } from './growth.ts'
import { isOnline } from './online.ts'

const hostOf = (row: AnyRow) => row.host as Host
const stateOf = (row: AnyRow) => row.state as HostState

export const cpuName = (row: AnyRow): string => hostOf(row).cpu?.[0] ?? ''

/** Only the whole without a sample; empty without a whole. */
export function usedOf(used: 'mem_used' | 'disk_used' | 'swap_used', total: 'mem_total' | 'disk_total' | 'swap_total') {
  return (row: AnyRow, { translator, format }: SayContext) => {
    const whole = hostOf(row)[total]
    if (!whole) return ''
    if (!isSampled(stateOf(row))) return format.bytes(whole)
    return translator.t('ui.panel.usedOf', { used: format.bytes(stateOf(row)[used] ?? 0), total: format.bytes(whole) })
  }
}

/** “/var 93%”; null if the fullest file system isn’t known. */
export function fullestText({ fs_used_max, fullest }: WatchedMetrics): StateText | null {
  if (typeof fs_used_max !== 'number' || typeof fullest !== 'string') return null
  const params = { disk: { kind: 'text', value: fullest }, value: { kind: 'percent', value: fs_used_max } } as const
  return { name: 'fs_used_max', params }
}

function fullestNote(row: AnyRow, { translator, format, view }: SayContext): string {
  const isUp = isOnline({ last_active: row.last_active as string | null }, view.now)
  const text = isUp ? fullestText((row.watched ?? {}) as WatchedMetrics) : null
  if (!text) return ''
  const { disk, value } = text.params
  return translator.say(textKey.state('server', text.name), {
    disk: String(disk?.value),
    value: format.percent(Number(value?.value), 1),
  })
}

/** “/var full in 9d”, if that is soon. */
function fillingNote({ watched }: AnyRow, { translator, format }: SayContext): string {
  const { fs_full_in: left, filling: disk } = (watched ?? {}) as WatchedMetrics
  if (typeof left !== 'number' || typeof disk !== 'string' || left >= fullInLimits.warn) return ''
  return translator.t('ui.panel.fullIn', { disk, time: format.duration(left) })
}

export function diskNote(row: AnyRow, say: SayContext): string {
  const silent = (hostOf(row).silent_disks ?? []).map((disk) => say.translator.t('ui.panel.silentDisk', { disk }))
  return [usedOf('disk_used', 'disk_total')(row, say), fullestNote(row, say), fillingNote(row, say), ...silent]
    .filter(Boolean)
    .join(' · ')
}

export function longerLoads(row: AnyRow, { translator, format }: SayContext): string {
  const { load_5, load_15 } = stateOf(row)
  if (!isReported(hostOf(row)) || !isSampled(stateOf(row)) || !isMeasured(hostOf(row), 'load')) return ''
  const [five, fifteen] = [load_5, load_15].map((load) => format.number(load ?? 0, 2, true))
  return translator.t('ui.panel.loads', { five: defined(five), fifteen: defined(fifteen) })
}
