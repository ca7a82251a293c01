import { AppError } from '@qd/core/errors'

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds of a text such as `500ms`, `20s`, `5m` or `1h`; a bare number is seconds. Errors: `usage`. */
export function parseDurationMs(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  const ms = match ? Number(match[1]) * units[match[2] ?? 's']! : Number.NaN
  if (!(ms > 0 && ms <= 7 * 24 * units.h!)) throw new AppError('usage', { reason: 'badDuration', flag, text })
  return ms
}
