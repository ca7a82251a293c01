import { logSources } from '@qd/protocol/logs'
import { parseDuration } from '../fields/index.ts'
import type { LogQuery } from './session.ts'

/** What people type to ask for logs; the address of the Logs page has the same names. */
export const logFields = ['on', ...logSources, 'grep', 'since'] as const
export type LogField = (typeof logFields)[number]
export type AskedLogs = Readonly<Record<LogField, string>>

/** Each field’s text; empty if there is none. */
export const askedLogs = (textOf: (field: LogField) => string | null | undefined): AskedLogs =>
  Object.fromEntries(logFields.map((name) => [name, textOf(name) ?? ''])) as Record<LogField, string>

/** A time, or how long ago, as epoch ms; null for neither. */
export function parseSince(text: string, now: number): number | null {
  const ago = parseDuration(text)
  const at = ago === null ? Date.parse(text) : now - ago * 1000
  return at >= 0 ? at : null
}

/** The query of what was asked for, followed; a time that is none counts as any time. “10 minutes ago” is counted from now. */
export const logQueryOf = ({ since, ...asked }: AskedLogs, now: number): LogQuery => ({
  ...asked,
  since: since === '' ? null : parseSince(since, now),
  lines: null,
  follow: true,
})
