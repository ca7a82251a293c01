import { logLimits, logSources } from '@qd/protocol/logs'
import { plainLines, plainText, type Tone } from '../define/index.ts'
import type { AppError } from '../errors.ts'
import { parseDuration } from '../fields/index.ts'
import { errorText, problemSentence, type Translator } from '../i18n/index.ts'
import { type HostLine, type HostSummary, hostSummary } from '../view/index.ts'
import type { LogHost, LogLine, LogQuery } from './session.ts'
import type { LogTail } from './tail.ts'

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

/** Which servers answered, and what is said of the others. */
export function logSummary(hosts: readonly LogHost[], translator: Translator): HostSummary {
  const entries = hosts.map(({ server_id, state, error }) => ({ server_id, state, at: null, error, left: 0 }))
  const title = (_resource: string, id: number) => hosts.find(({ server_id }) => server_id === id)?.name ?? null
  return hostSummary(entries, { title }, translator)
}

/** There are more hosts than one reading takes, and which they are is to be said. */
export const tooManyLogHosts = ({ t }: Translator): string => t('ui.logs.tooManyHosts', { maximum: logLimits.hosts })

/** Why a reading was refused. */
export function logRefusal(error: AppError, translator: Translator): string {
  const { problems } = error
  if (problems.some(({ field, code }) => field === 'on' && code === 'tooManyItems')) return tooManyLogHosts(translator)
  const texts = problems.map(
    (problem) => `${labelOf(problem.field, translator)}: ${problemSentence(translator, problem)}`,
  )
  return texts.length > 0 ? texts.join('. ') : errorText(translator, error).title
}

/** Why nothing comes, which servers answered, and what is missing. How many lines wait stands where each program has room. */
export function logNotes({ hosts, left, state }: LogTail, translator: Translator): HostLine[] {
  const { t } = translator
  const summary = logSummary(hosts, translator)
  return [
    ...(state.status === 'refused' ? [{ text: logRefusal(state.error, translator), tone: 'bad' } as const] : []),
    ...(state.status === 'lost' ? [{ text: t('ui.logs.lost'), tone: 'warn' } as const] : []),
    ...(hosts.length > 0 ? [{ text: summary.answered, tone: 'muted' } as const] : []),
    ...summary.lines,
    ...(left > 0 ? [{ text: t('ui.logs.left', { count: left }), tone: 'muted' } as const] : []),
  ]
}

/** The label in the form; a field that has none keeps its name. */
function labelOf(field: string, { has, say }: Translator): string {
  const key = field === 'on' ? 'ui.hosts.target' : `ui.logs.${field}`
  return has(key) ? say(key) : plainText(field)
}

/** A line’s parts, safe to show. `by`: its program, such as `nginx[12]`; may be empty. */
export interface LogText {
  readonly time: string
  readonly server: string
  readonly by: string
  /** A message may have several lines. */
  readonly lines: readonly string[]
}

/** Swedish writes times as logs do: 2026-11-26 15:02:14. Without a time zone: that of the host. */
export function createLogText(timeZone?: string): (line: LogLine) => LogText {
  const times = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const known = new WeakMap<LogLine, LogText>()
  return (line) => {
    const before = known.get(line)
    if (before) return before
    const program = plainText(line.name || line.unit)
    const text = {
      time: times.format(line.at),
      server: plainText(line.server),
      by: program && `${program}${line.pid > 0 ? `[${line.pid}]` : ''}`,
      lines: plainLines(line.text).trimEnd().split('\n'),
    }
    known.set(line, text)
    return text
  }
}

/** A line as rows of plain text, with its server if there are several. */
export function logRows({ time, server, by, lines }: LogText, isMany: boolean): string[] {
  const [first = '', ...more] = lines
  return [
    [time, ...(isMany ? [server] : []), ...(by ? [`${by}:`] : []), first].join(' '),
    ...more.map((one) => `  ${one}`),
  ]
}

/** How a syslog severity looks. */
export function logTone(level: number): Exclude<Tone, 'accent' | 'ok'> {
  if (level <= 3) return 'bad'
  if (level === 4) return 'warn'
  return level === 7 ? 'muted' : 'plain'
}
