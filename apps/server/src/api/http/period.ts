import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { texts } from '../../kernel/texts.ts'
import type { HttpContext } from './request.ts'

const hour = 3_600_000

/** Ranges that history is asked for, and their steps, in ms. Source: contract engines 13. */
const periods: Readonly<Record<string, { rangeMs: number; stepMs: number }>> = {
  '1d': { rangeMs: 24 * hour, stepMs: 30_000 },
  '7d': { rangeMs: 7 * 24 * hour, stepMs: hour / 2 },
  '30d': { rangeMs: 30 * 24 * hour, stepMs: 2 * hour },
}

/** The range that `?period=` names, ending now. Guests have the last day only. Errors: `invalid`, `forbidden`. */
export function readPeriod(context: HttpContext, viewer: Viewer, now: number) {
  const name = context.req.query('period') || '1d'
  const period = Object.hasOwn(periods, name) ? periods[name] : undefined
  if (!period) throw new AppError('invalid', { text: `invalid period: ${name.slice(0, 40)}, expected 1d, 7d, or 30d` })
  if (viewer.id === null && name !== '1d') throw new AppError('forbidden', { text: texts.guestPeriod })
  return { name, from: now - period.rangeMs, to: now, stepMs: period.stepMs }
}
