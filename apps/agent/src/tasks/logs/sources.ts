import { type LogEntry, type LogOrigin, type LogRequest, logLimits } from '@qd/protocol/logs'

/** Why a program can’t print log lines. `failed`: it doesn’t know what is asked for. */
export type LogProblem = 'no permission' | 'not supported' | 'failed'

/** A program that prints log lines, and how to read one of them. */
export interface LogProgram {
  readonly source: LogOrigin
  /** Whether it applies the request’s `grep`. */
  readonly filtered: boolean
  readonly args: readonly string[]
  /** How many lines it prints at once. */
  readonly lines: number
  /** It prints the newest line first, and then ends. */
  readonly isReversed: boolean
  /** Lines come on stderr too, among what the program says itself. */
  readonly hasErrorLines: boolean
  /** Null if the line isn’t asked for, or isn’t a log line. */
  parse(line: string): LogEntry | null
  /** What its errors mean, in English; null if nothing. */
  problemOf(errors: string): LogProblem | null
}

/** The journal’s fields that an entry is made of. */
const fields = ['MESSAGE', 'PRIORITY', 'SYSLOG_IDENTIFIER', '_COMM', '_PID', '_SYSTEMD_UNIT', 'UNIT']

/** Bytes of a message that isn’t plain text, and fields that occur more than once, are lists. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  if (value.every((byte) => Number.isInteger(byte))) return Buffer.from(value as number[]).toString('utf8')
  return value.map(textOf).join('\n')
}

const parseJournalLine = (line: string): LogEntry | null => {
  if (!line.startsWith('{')) return null
  try {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>
    return {
      at: Math.floor(Number(entry.__REALTIME_TIMESTAMP) / 1000) || 0,
      // What systemd says about a unit has its name in UNIT.
      unit: textOf(entry.UNIT) || textOf(entry._SYSTEMD_UNIT),
      name: textOf(entry.SYSLOG_IDENTIFIER) || textOf(entry._COMM),
      pid: Number(textOf(entry._PID)) || 0,
      level: Number(textOf(entry.PRIORITY) || 6),
      text: textOf(entry.MESSAGE),
    }
  } catch {
    return null
  }
}

const sinceArgument = (since: number) => `--since=@${Math.floor(since / 1000)}.${String(since % 1000).padStart(3, '0')}`

/**
 * Which lines journalctl prints. With a time it prints the oldest lines from there on, unless in reverse. Followed, it has no reverse: then it gets no
 * time, and `parse` leaves out what is older; only with an expression all lines from that time on are few enough.
 */
const rangeArguments = ({ since, lines, follow, grep }: LogRequest): string[] => {
  if (!follow) return ['--reverse', `--lines=${lines}`, ...(since === null ? [] : [sinceArgument(since)])]
  if (since !== null && grep) return ['--follow', '--no-tail', sinceArgument(since)]
  return ['--follow', `--lines=${lines}`]
}

/** Each value is part of an argument of its own, so that none is an option. */
export const journalProgram = (request: LogRequest): LogProgram => ({
  source: 'journal',
  filtered: true,
  lines: request.lines,
  isReversed: !request.follow,
  hasErrorLines: false,
  args: [
    'journalctl',
    '--output=json',
    // Longer messages would be null.
    '--all',
    '--no-pager',
    `--output-fields=${fields.join(',')}`,
    ...rangeArguments(request),
    ...(request.unit ? [`--unit=${request.unit}`] : []),
    ...(request.grep ? [`--grep=${request.grep}`] : []),
  ],
  parse(line) {
    const entry = parseJournalLine(line)
    return entry && (request.since === null || entry.at >= request.since) ? entry : null
  },
  problemOf(errors) {
    const [, problem] = /^No journal files were (found|opened due to insufficient permissions)/m.exec(errors) ?? []
    if (problem === undefined) return null
    return problem === 'found' ? 'not supported' : 'no permission'
  },
})

const severities = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug']
const shortSeverities: Readonly<Record<string, number>> = { panic: 0, error: 3, warn: 4 }

/** Time, host, what BusyBox adds (`daemon.info`), program, process, message. */
const syslogLine =
  /^(?:<\d+>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+) \S+ (?:[a-z]+\d?\.([a-z]+) )?([^\s:[]+)(?:\[(\d+)\])?: ?(.*)$/

/** The old form has no year: the one that isn’t in the future. */
const timeOf = (text: string, now: number): number => {
  if (/^\d/.test(text)) return Date.parse(text)
  const year = new Date(now).getFullYear()
  const at = Date.parse(`${text} ${year}`)
  return at > now + 86_400_000 ? Date.parse(`${text} ${year - 1}`) : at
}

const levelOf = (severity = 'info'): number => {
  const level = shortSeverities[severity] ?? severities.indexOf(severity)
  return level < 0 ? 6 : level
}

/** Times that begin lines of other programs, such as `2026/11/26 15:02:14`, and the time of a web server’s request. */
const leadingTime = /^\[?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d(?:[.,]\d+)?)(Z|[+-]\d\d:?\d\d)?/
const requestTime = /\[(\d\d\/[A-Z][a-z]{2}\/\d{4}):(\d\d:\d\d:\d\d [+-]\d{4})\]/

/** Epoch ms; NaN for none. */
const timeIn = (line: string): number => {
  const [, year, month, day, time, zone = ''] = leadingTime.exec(line) ?? []
  if (time) return Date.parse(`${year}-${month}-${day}T${time.replace(',', '.')}${zone}`)
  const [, date = '', clock = ''] = requestTime.exec(line) ?? []
  return Date.parse(`${date.replaceAll('/', ' ')} ${clock}`)
}

/** A file of log lines. A unit there is the name of a program, which is looked for in as many lines as a reading may have. */
export const fileProgram = (path: string, request: LogRequest, now: () => number): LogProgram => {
  const { unit, since, follow } = request
  const lines = unit || request.grep ? logLimits.maxLines : request.lines
  // A line without a time, such as one of a stack trace, belongs to the one before.
  let lastAt = 0
  return {
    source: 'files',
    filtered: false,
    lines,
    isReversed: false,
    hasErrorLines: false,
    args: ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), '--', path],
    parse(line) {
      const [, time, severity, name = '', pid, text = line] = syslogLine.exec(line) ?? []
      if (unit && name !== unit.replace(/\.service$/, '')) return null
      const at = (time === undefined ? timeIn(line) : timeOf(time, now())) || lastAt || now()
      lastAt = at
      if (since !== null && at < since) return null
      return { at, unit: '', name, pid: Number(pid ?? 0), level: levelOf(severity), text }
    },
    problemOf: (errors) => (/permission denied/i.test(errors) ? 'no permission' : null),
  }
}

const containerLine = /^(\d{4}-\d\d-\d\dT\S+) (.*?)\r?$/s

/** The lines of a container, of both its outputs. */
export const containerProgram = (
  engine: 'docker' | 'podman',
  { container, since, follow, ...request }: LogRequest,
): LogProgram => {
  const lines = request.grep ? logLimits.maxLines : request.lines
  return {
    source: engine,
    filtered: false,
    lines,
    isReversed: false,
    hasErrorLines: true,
    args: [
      ...[engine, 'logs', '--timestamps', `--tail=${lines}`],
      ...(since === null ? [] : [`--since=${new Date(since).toISOString()}`]),
      ...(follow ? ['--follow'] : []),
      ...['--', container],
    ],
    parse(line) {
      const [, time = '', text = ''] = containerLine.exec(line) ?? []
      const at = Math.floor(Date.parse(time))
      return at >= 0 ? { at, unit: '', name: container, pid: 0, level: 6, text } : null
    },
    problemOf(errors) {
      if (/permission denied/i.test(errors)) return 'no permission'
      if (/(cannot|failed to) connect to/i.test(errors)) return 'not supported'
      return /no such container/i.test(errors) ? 'failed' : null
    },
  }
}
