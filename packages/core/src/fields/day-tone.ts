// Apart from monitoring.ts, so that the status page doesn’t load it.
/** How a day feels by the percent of it that was up: from 99 well, from 95 a warning (contract engines 2.9). */
export function dayTone(percent: number): 'muted' | 'ok' | 'warn' | 'bad' {
  if (percent < 0) return 'muted'
  return percent >= 99 ? 'ok' : percent >= 95 ? 'warn' : 'bad'
}
