import type { AnyRow, SayContext } from '../define/index.ts'
import { defined } from '../errors/index.ts'
import { type Host, type HostState, isMeasured, isReported, isSampled } from '../schemas/index.ts'

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

export function diskNote(row: AnyRow, say: SayContext): string {
  const silent = (hostOf(row).silent_disks ?? []).map((disk) => say.translator.t('ui.panel.silentDisk', { disk }))
  return [usedOf('disk_used', 'disk_total')(row, say), ...silent].filter(Boolean).join(' · ')
}

export function longerLoads(row: AnyRow, { translator, format }: SayContext): string {
  const { load_5, load_15 } = stateOf(row)
  if (!isReported(hostOf(row)) || !isSampled(stateOf(row)) || !isMeasured(hostOf(row), 'load')) return ''
  const [five, fifteen] = [load_5, load_15].map((load) => format.number(load ?? 0, 2, true))
  return translator.t('ui.panel.loads', { five: defined(five), fifteen: defined(fifteen) })
}
