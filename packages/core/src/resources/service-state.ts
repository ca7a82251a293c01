import { namedOptions, type StateText, type View } from '../define/index.ts'

/** By the results of the last 15 minutes (contract engines 2.3). */
export const ServiceStatus = { unset: 0, noData: 1, good: 2, low: 3, down: 4 } as const

/** By the success rate in whole percent (contract engines 2.3; only failures is Down, Q8). */
export function serviceStatusOf({
  up,
  down,
}: {
  up: number
  down: number
}): (typeof ServiceStatus)[keyof typeof ServiceStatus] {
  if (up + down === 0) return ServiceStatus.noData
  const percent = Math.floor((up * 100) / (up + down))
  if (percent <= 80) return ServiceStatus.down
  return percent <= 95 ? ServiceStatus.low : ServiceStatus.good
}

export const ServiceState = namedOptions('up', 'slow', 'unsteady', 'down', 'noData')

interface Results {
  status: number
  status_since: string | null
  delay: number | null
  max_latency: number
  cert_expires_at: string | null
}

export function serviceStateOf({ status, delay, max_latency }: Pick<Results, 'status' | 'delay' | 'max_latency'>) {
  if (status === ServiceStatus.down) return ServiceState.down
  if (status === ServiceStatus.low) return ServiceState.unsteady
  if (status !== ServiceStatus.good) return ServiceState.noData
  return max_latency > 0 && delay !== null && delay > max_latency ? ServiceState.slow : ServiceState.up
}

const dayS = 86_400
/** Remaining seconds of a certificate that are a warning, and bad. */
export const certificateLimits = { warn: 21 * dayS, bad: 7 * dayS }

export function certificateLeft(
  { cert_expires_at }: Pick<Results, 'cert_expires_at'>,
  { now }: Pick<View, 'now'>,
): number | null {
  return cert_expires_at === null ? null : Math.max(0, Math.floor((Date.parse(cert_expires_at) - now) / 1000))
}

export function causeOf(row: Results, view: Pick<View, 'now'>): StateText | null {
  const state = serviceStateOf(row)
  if (state === ServiceState.slow)
    return { name: 'slow', params: { value: { kind: 'number', value: Math.round(row.delay ?? 0) } } }
  if (state !== ServiceState.down && state !== ServiceState.unsteady)
    return certificateCause(certificateLeft(row, view))
  // Nezha doesn’t say since when.
  if (row.status_since === null) return { name: `${state}Now`, params: {} }
  const seconds = Math.floor(Math.max(0, view.now - Date.parse(row.status_since)) / 1000)
  return { name: state, params: { time: { kind: 'duration', value: seconds } } }
}

function certificateCause(left: number | null): StateText | null {
  if (left === null || left >= certificateLimits.warn) return null
  return left === 0
    ? { name: 'expired', params: {} }
    : { name: 'certificate', params: { time: { kind: 'duration', value: left } } }
}
