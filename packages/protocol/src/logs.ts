/** Bounds of log readings, of the agent, the server, and their clients. Source: docs/reference/host-resources.md. */
export const logLimits = {
  /** Of one reading. */
  hosts: 20,
  /** The newest lines of one host: without and with a time to start at, and at most. */
  lines: 100,
  linesSince: 5_000,
  maxLines: 5_000,
  /** Of one host, after its first lines. */
  linesPerSecond: 1_000,
  /** Characters of one message. */
  text: 8_192,
  /** Characters of a unit, program, or error. */
  name: 256,
  grep: 200,
  /** Bytes of one frame, roughly. */
  frame: 64 * 1024,
  /** Bytes that wait on the host while the server takes nothing. */
  waiting: 2 ** 20,
  /** Readings of one agent at a time. */
  readings: 10,
} as const

/** What lines can be asked for by name: a unit of the service manager, a container, a file in `/var/log`. */
export const logSources = ['unit', 'container', 'file'] as const
export type LogSource = (typeof logSources)[number]

/** What a reading asks a host for. It names values, never a program or option. At most one source has a name; all lines of the host otherwise. */
export interface LogRequest extends Readonly<Record<LogSource, string>> {
  /** Only lines from this time on, epoch ms; null: any time. */
  readonly since: number | null
  /** At most so many of the newest lines. */
  readonly lines: number
  /** Also the lines that come later. */
  readonly follow: boolean
  /** Only lines that match this regular expression; empty: all. */
  readonly grep: string
}

/** One line of a host’s logs. */
export interface LogEntry {
  /** Epoch ms. */
  readonly at: number
  /** Empty if unknown, as `name`. */
  readonly unit: string
  /** The program. */
  readonly name: string
  /** 0 if unknown. */
  readonly pid: number
  /** The severity of syslog: 0 emergency to 7 debug. */
  readonly level: number
  /** May have several lines. */
  readonly text: string
}

/** Where a host’s lines come from. */
export const logOrigins = ['journal', 'files', 'docker', 'podman'] as const
export type LogOrigin = (typeof logOrigins)[number]

/** Why a host’s lines end. */
export const logEnds = ['done', 'no permission', 'not supported', 'failed'] as const
export type LogEnd = (typeof logEnds)[number]

/** A message of the agent. `filtered`: whether the agent applies `grep`. `left`: how many lines it left out before these. */
export type LogFrame =
  | { readonly kind: 'source'; readonly source: LogOrigin; readonly filtered: boolean }
  | { readonly kind: 'entries'; readonly entries: readonly LogEntry[]; readonly left: number }
  | { readonly kind: 'end'; readonly end: LogEnd; readonly error: string }

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most && !/\p{Cc}/u.test(value)

const isCount = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most

const maxMs = 8.64e15

const asRecord = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined

/** The field of a request that is wrong; its values otherwise. Missing values are the defaults. */
export const parseLogRequest = (value: unknown): LogRequest | { readonly wrong: keyof LogRequest } => {
  const { since = null, follow = false, grep = '', ...rest } = asRecord(value) ?? {}
  const { lines = since === null ? logLimits.lines : logLimits.linesSince } = rest
  const sources = { unit: '', container: '', file: '' }
  for (const source of logSources) {
    const name = rest[source] ?? ''
    const isSecond = name !== '' && logSources.some((other) => sources[other] !== '')
    if (!isText(name, logLimits.name) || isSecond) return { wrong: source }
    sources[source] = name
  }
  if (since !== null && !isCount(since, maxMs)) return { wrong: 'since' }
  if (!isCount(lines, logLimits.maxLines)) return { wrong: 'lines' }
  if (typeof follow !== 'boolean') return { wrong: 'follow' }
  if (!isText(grep, logLimits.grep)) return { wrong: 'grep' }
  return { ...sources, since, lines, follow, grep }
}

/** Cuts a text without leaving half a character. */
const cut = (value: unknown, most: number): string => {
  const text = typeof value === 'string' ? value : ''
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}

const parseEntry = (value: unknown): LogEntry | [] => {
  const record = asRecord(value)
  if (!record) return []
  const { at, unit, name, pid, level, text } = record
  return {
    at: isCount(at, maxMs) ? at : 0,
    unit: cut(unit, logLimits.name),
    name: cut(name, logLimits.name),
    pid: isCount(pid, 2 ** 32) ? pid : 0,
    level: isCount(level, 7) ? level : 6,
    text: cut(text, logLimits.text),
  }
}

/** Reads an object of `toLogFrame`; undefined for anything else. Texts are cut, not cleaned. */
export const readLogFrame = (value: unknown): LogFrame | undefined => {
  const { source, filtered, entries, left = 0, end, error } = asRecord(value) ?? {}
  const origin = logOrigins.find((one) => one === source)
  if (origin) return { kind: 'source', source: origin, filtered: filtered !== false }
  if (Array.isArray(entries) && isCount(left, Number.MAX_SAFE_INTEGER))
    return { kind: 'entries', entries: entries.slice(0, logLimits.maxLines).flatMap(parseEntry), left }
  const known = logEnds.find((one) => one === end)
  return known && { kind: 'end', end: known, error: cut(error, logLimits.name) }
}

export const parseLogFrame = (bytes: Uint8Array): LogFrame | undefined => {
  try {
    return readLogFrame(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}

export const toLogFrame = ({ kind: _kind, ...fields }: LogFrame): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(fields))
