import type { View } from '../define/index.ts'

/**
 * IANA name of the time zone that the server's schedules, days and message times count in. Pure.
 * Ours sends it as `effective_time_zone`, since an empty setting means the host's zone, which no client knows. A server
 * that sends neither is taken to count in UTC.
 */
export function siteTimeZone({ all }: Pick<View, 'all'>): string {
  const setting = all('setting')[0]
  return String(setting?.effective_time_zone || setting?.time_zone || 'UTC')
}
