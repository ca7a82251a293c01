import { usageError } from '@qd/core/errors'
import { parseDuration } from '@qd/core/fields'

const weekMs = 7 * 24 * 3_600_000

/** Milliseconds of a flag’s text such as `500ms`, `20s` or `1h`; a bare number is seconds. Errors: `usage`. */
export function parseDurationMs(text: string, flag: string, most = weekMs): number {
  const ms = (parseDuration(text.trim()) ?? Number.NaN) * 1000
  if (!(ms > 0 && ms <= most)) throw usageError('badDuration', { flag, text })
  return ms
}
