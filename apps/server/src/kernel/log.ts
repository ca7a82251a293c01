import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { isDatabaseAway, isDiskFull } from './errors.ts'

/** Never logged. */
const redact = [
  'password',
  'token',
  'secret',
  'agent_secret',
  'authorization',
  'cookie',
  '*.password',
  '*.token',
  '*.secret',
  '*.authorization',
  '*.cookie',
]

export function createLog(format: 'json' | 'text', write: (line: string) => void): Logger {
  const stream: DestinationStream = { write: (line) => write(format === 'json' ? line : toText(line)) }
  return pino({ level: 'info', base: null, redact: { paths: redact, censor: '***' }, hooks: { logMethod } }, stream)
}

/** Skips errors of a full disk and of an unreachable database, whose beginning and end store/db logs once. */
function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first] = args as [unknown]
  const err = (first as { err?: unknown } | null)?.err
  if (!isDiskFull(err) && !isDatabaseAway(err)) method.apply(this, args)
}

/** `12:00:00.000 warn  words key=value`, control characters escaped (S-40). */
function toText(line: string): string {
  const {
    level,
    time,
    msg = '',
    err,
    ...rest
  } = JSON.parse(line) as { level: number; time: number; msg?: string; err?: { stack?: string } }
  const values = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const words = [
    new Date(time).toISOString().slice(11, 23),
    (pino.levels.labels[level] ?? '').padEnd(5),
    msg,
    ...values,
  ]
  const text = words
    .join(' ')
    .replace(/[\x00-\x1f\x7f-\x9f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return err?.stack ? `${text}\n${err.stack}\n` : `${text}\n`
}
