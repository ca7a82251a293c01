import { defined } from '../errors.ts'
import type { TextKey } from './keys.ts'
import { type Language, listSeparator } from './languages.ts'
import type { Translator } from './translator.ts'

/** Such as `12.6` and `M`. */
export interface Measure {
  number: string
  unit: string
}

/** Formats for a user’s language and time zone. Instants are RFC 3339 or epoch ms. */
export interface Format {
  readonly language: Language
  /** IANA name. */
  readonly timeZone: string
  /** At most `digits` decimals, or exactly that many if `fixed`. */
  number(value: number, digits?: number, fixed?: boolean): string
  /** 0 to 100 with the sign: "96%", in German "96 %". */
  percent(value: number, digits?: number, fixed?: boolean): string
  /** "18.4 GiB". */
  bytes(value: number): string
  /** "12.6 MiB/s". */
  rate(value: number): string
  /** Bytes in three digits: 12.6 and M. */
  measure(value: number): Measure
  /** "128 ms", "3.4 ms", "0.03 ms". */
  latency(ms: number): string
  /** Seconds in the two largest units: "91 d", "2 h 6 min", "41.2 s". */
  duration(seconds: number): string
  /** "14:28" today, "Mon 04:30" within a week, "Oct 29" this year, else "2025-10-29" ("29.10.2025" in German). */
  instant(at: string | number, now: number): string
  /** Longer, with the time also beyond a week: "Oct 29, 10:12", "2025-10-29 10:12". */
  instantRoomy(at: string | number, now: number): string
  /** "11:20, 3 h 12 min ago". */
  since(at: string | number, now: number): string
  /** "3 h 12 min ago", "in 1 d". */
  distance(at: string | number, now: number): string
  /** Weekday, date, seconds, zone. */
  instantFull(at: string | number): string
  /** "Sat, Nov 21, 03:00:00". */
  instantLong(at: string | number): string
  /** "Sat, Nov 21". */
  day(at: string | number): string
  /** With seconds. */
  clock(at: number): string
  /** The zone’s offset at that time: "UTC+1". */
  offset(at: number): string
  list(items: readonly string[]): string
}

const sizeUnits = ['b', 'k', 'm', 'g', 't', 'p'] as const
const dayS = 86_400
const hourS = 3_600

/** `timeZone` defaults to the machine’s. Throws a RangeError for an unknown zone. */
export function createFormat({ translator, timeZone }: { translator: Translator; timeZone?: string }): Format {
  const { language } = translator
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  if (timeZone !== undefined) new Intl.DateTimeFormat(language, { timeZone })
  const numbersIn = (style: 'decimal' | 'percent') => {
    const formats = cached((key) => {
      const [digits = 0, fixed] = key.split(' ').map(Number)
      return new Intl.NumberFormat(language, {
        style,
        maximumFractionDigits: digits,
        minimumFractionDigits: fixed ? digits : 0,
      })
    })
    return (value: number, digits = 0, fixed = false) => formats(`${digits} ${fixed ? 1 : 0}`).format(value)
  }
  // Created on first use: all eight cost a page 24 ms at its start.
  const dates = (options: Intl.DateTimeFormatOptions, by: string = language) => {
    let format: Intl.DateTimeFormat | undefined
    return (at: string | number) => {
      format ??= new Intl.DateTimeFormat(by, { timeZone: zone, hourCycle: 'h23', ...options })
      return isMoment(at) ? format.format(epoch(at)) : unknownMoment
    }
  }
  const time = { hour: '2-digit', minute: '2-digit' } as const
  const date = { day: 'numeric', month: 'short' } as const
  const timeOfDay = dates(time)
  const weekdayTime = dates({ weekday: 'short', ...time })
  const dayMonth = dates(date)
  const dayMonthTime = dates({ ...date, ...time })
  const clock = dates({ ...time, second: '2-digit' })
  const full = dates({ dateStyle: 'full', timeStyle: 'long' })
  const long = dates({ weekday: 'short', ...date, ...time, second: '2-digit' })
  const inNumbers = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  const dateOf = dates(inNumbers, 'en-CA')
  // A month’s name would be wider than a date column. In English 02/03 is ambiguous.
  const dateWithYear = language === 'en-US' ? dateOf : dates(inNumbers)
  const day = dates({ weekday: 'short', ...date })

  const number = numbersIn('decimal')
  const share = numbersIn('percent')
  const units = new Map<string, string>()
  /** Looks up a unit’s text only once, because lists need thousands. */
  const inUnit = (key: TextKey, value: string): string => {
    const text = units.get(key) ?? translator.t(key, { value: place })
    // Don’t cache the text before it is loaded.
    if (text.includes(place)) units.set(key, text)
    return text.replace(place, () => value)
  }
  const scaled = (value: number) => {
    const { power, text } = scale(value, number)
    return { text, unit: defined(sizeUnits[power]) }
  }
  const duration = (seconds: number): string => {
    const total = seconds < 59.95 ? seconds : Math.max(60, Math.floor(seconds))
    if (total < 60) return inUnit('ui.units.seconds', number(total, 1))
    if (total < hourS) return two('minutes', Math.floor(total / 60), 'minutesSeconds', total % 60)
    if (total < dayS) return two('hours', Math.floor(total / hourS), 'hoursMinutes', Math.floor((total % hourS) / 60))
    return inUnit('ui.units.days', number(Math.floor(total / dayS)))
  }
  const two = (one: 'minutes' | 'hours', large: number, both: 'minutesSeconds' | 'hoursMinutes', small: number) => {
    if (small === 0) return inUnit(`ui.units.${one}`, number(large))
    return translator.t(`ui.units.${both}`, { large, small })
  }
  const distance = (at: string | number, now: number) => {
    const seconds = Math.trunc((epoch(at) - now) / 1000)
    if (seconds === 0) return translator.t('ui.time.now')
    const span = duration(Math.abs(seconds))
    return seconds < 0 ? translator.t('ui.time.ago', { span }) : translator.t('ui.time.in', { span })
  }
  const instant = (at: string | number, now: number) => {
    if (dateOf(at) === dateOf(now)) return timeOfDay(at)
    if (Math.abs(epoch(at) - now) < 6 * dayS * 1000) return weekdayTime(at)
    return isOfYear(at, now) ? dayMonth(at) : dateWithYear(at)
  }
  const isOfYear = (at: string | number, now: number) => dateOf(at).slice(0, 4) === dateOf(now).slice(0, 4)
  const instantRoomy = (at: string | number, now: number) => {
    if (!isMoment(at) || Math.abs(epoch(at) - now) < 6 * dayS * 1000) return instant(at, now)
    return isOfYear(at, now) ? dayMonthTime(at) : `${dateWithYear(at)} ${timeOfDay(at)}`
  }
  return {
    language,
    timeZone: zone,
    number,
    percent: (value, digits, fixed) => share(value / 100, digits, fixed),
    bytes(value) {
      const { text, unit } = scaled(value)
      return inUnit(`ui.units.bytes.${unit}`, text)
    },
    rate(value) {
      const { text, unit } = scaled(value)
      return inUnit(`ui.units.rate.${unit}`, text)
    },
    measure(value) {
      const { text, unit } = scaled(value)
      return { number: text, unit: translator.t(`ui.units.short.${unit}`) }
    },
    latency: (ms) => inUnit('ui.units.ms', number(ms, ms < 1 ? 2 : ms < 10 ? 1 : 0)),
    duration,
    instant,
    instantRoomy,
    since: (at, now) => translator.t('ui.time.since', { time: instant(at, now), distance: distance(at, now) }),
    distance,
    instantFull: full,
    instantLong: long,
    day,
    clock,
    offset: (at) => zoneOffset(at, zone),
    list: (items) => items.join(listSeparator(language)),
  }
}

/** Marks the number in a unit’s text. */
const place = '\0'

const unknownMoment = '?'

function isMoment(at: string | number): boolean {
  return Math.abs(epoch(at)) <= 8.64e15
}

function epoch(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}

/** Three digits in base 1024 if they fit: 214, 84.2, 3.1. */
function scale(value: number, number: Format['number']): { power: number; text: string } {
  let power = 0
  let rest = value
  while (rest >= 999.5 && power < sizeUnits.length - 1) {
    rest /= 1024
    power += 1
  }
  return { power, text: power === 0 || rest >= 99.95 ? number(rest) : number(rest, 1, true) }
}

/** "UTC+1", "UTC". */
export function zoneOffset(at: number, timeZone: string): string {
  if (!isMoment(at)) return unknownMoment
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset = defined(parts.find(({ type }) => type === 'timeZoneName')).value
  return offset.replace(/^GMT|^UTC/, 'UTC').replace(/\+0$/, '')
}

function cached<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const known = made.get(key) ?? make(key)
    made.set(key, known)
    return known
  }
}
