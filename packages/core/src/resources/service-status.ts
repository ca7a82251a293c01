/** How a monitored service stands, on the results of the last quarter of an hour (contract engines 2.3). */
export const ServiceStatus = { unset: 0, noData: 1, good: 2, low: 3, down: 4 } as const

/** Status by the share of successes in whole percent (contract engines 2.3; nothing but failures is Down, Q8). Pure. */
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
