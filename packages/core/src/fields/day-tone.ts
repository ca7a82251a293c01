// Apart from monitoring.ts, so that the status page doesn’t load it.
/** The tone of a day by its uptime in percent (contract engines 2.9). */
export function dayTone(percent: number): 'muted' | 'ok' | 'warn' | 'bad' {
  if (percent < 0) return 'muted'
  return percent >= 99 ? 'ok' : percent >= 95 ? 'warn' : 'bad'
}
