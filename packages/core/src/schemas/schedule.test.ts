import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRuns, parseSchedule, type Schedule, scheduleErrorText, scheduleProblem, withSeconds } from './index.ts'

function read(text: string): Schedule {
  const parsed = parseSchedule(text)
  if (!parsed.ok) throw new Error(scheduleErrorText(parsed.problem))
  return parsed.schedule
}

function errorOf(text: string): string | null {
  const parsed = parseSchedule(text)
  return parsed.ok ? null : scheduleErrorText(parsed.problem)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Wall-clock text of a time in a zone, e.g. `2026-03-29 03:00:00`. */
function wall(time: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format.format(time)
}

function runs(text: string, from: string, timeZone = 'UTC', count = 5): string[] {
  return nextRuns(read(text), { from: Date.parse(from), count, timeZone }).map((time) => wall(time, timeZone))
}

// The texts are those of contract engines 3.2 and of fixtures/http/crons.json.
describe('parseSchedule', () => {
  test.each([
    '0 0 3 * * *',
    '0 30 4 * * 1',
    '*/10 * * * * *',
    '0 0 9-17/2 ? JAN-mar Mon,WED-fri',
    '5/15 0 0 1,15 * ?',
    '* * * * * *',
    '@yearly',
    '@annually',
    '@monthly',
    '@weekly',
    '@daily',
    '@midnight',
    '@hourly',
    '@every 1h30m10s',
    '@every 5m',
    '@every 1.5h',
    'CRON_TZ=UTC 0 0 4 * * *',
    'TZ=Europe/Berlin @daily',
    '  0  0\t4 * * *  ',
  ])('accepts %s', (text) => expect(errorOf(text)).toBeNull())

  test.each([
    ['', 'empty spec string'],
    ['TZ=UTC', 'empty spec string'],
    ['0 3 * * *', 'expected exactly 6 fields, found 5: [0 3 * * *]'],
    ['* * * * *', 'expected exactly 6 fields, found 5: [* * * * *]'],
    ['every hour please', 'expected exactly 6 fields, found 3: [every hour please]'],
    ['x', 'expected exactly 6 fields, found 1: [x]'],
    ['61 * * * * *', 'end of range (61) above maximum (59): 61'],
    ['60 * * * * *', 'end of range (60) above maximum (59): 60'],
    ['0 0 0 * * 7', 'end of range (7) above maximum (6): 7'],
    ['0 0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['0 0 0 L * *', 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax'],
    ['0 0 0 15W * *', 'failed to parse int from 15W: strconv.Atoi: parsing "15W": invalid syntax'],
    ['0 0 0 * * 1#2', 'failed to parse int from 1#2: strconv.Atoi: parsing "1#2": invalid syntax'],
    ['0 0 0 * jan-feb-mar *', 'too many hyphens: jan-feb-mar'],
    ['0 */5/2 * * * *', 'too many slashes: */5/2'],
    ['0 */0 * * * *', 'step of range should be a positive number: */0'],
    ['0 0 22-2 * * *', 'beginning of range (22) beyond end of range (2): 22-2'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@hourlyish', 'unrecognized descriptor: @hourlyish'],
    ['@every', 'unrecognized descriptor: @every'],
    ['@Daily', 'unrecognized descriptor: @Daily'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['@every 5', 'failed to parse duration @every 5: time: missing unit in duration "5"'],
    ['@every 5y', 'failed to parse duration @every 5y: time: unknown unit "y" in duration "5y"'],
    ['@every 0s', 'the interval must be at least 1s: @every 0s'],
    ['@every 999.9ms', 'the interval must be at least 1s: @every 999.9ms'],
    ['@every -5s', 'failed to parse duration @every -5s: time: invalid duration "-5s"'],
    ['TZ=Moon/Base 0 0 0 * * *', 'provided bad location Moon/Base: unknown time zone Moon/Base'],
  ])('S-49 refuses %j with the text of the contract', (text, error) => expect(errorOf(text)).toBe(error))

  test.each([
    ['0 3 * * *', '0 0 3 * * *'],
    [' */5 * * * 1-5 ', '0 */5 * * * 1-5'],
    ['CRON_TZ=Europe/Rome 0 3 * * *', 'CRON_TZ=Europe/Rome 0 0 3 * * *'],
    ['61 3 * * *', null],
    ['0 0 3 * * *', null],
    ['@daily', null],
    ['3 * *', null],
  ])('issue 12, friction: %j, written as in a crontab, means %j', (text, meant) => {
    expect(withSeconds(text)).toBe(meant)
  })

  test('never throws, whatever is typed', () => {
    const bits = fc.constantFrom(
      '0',
      '59',
      '*',
      '?',
      '/',
      '-',
      ',',
      ' ',
      '@every ',
      'mon',
      'TZ=',
      'UTC ',
      'L',
      '1h',
      '.',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(bits).map((list) => list.join('')),
        ),
        (text) => {
          const parsed = parseSchedule(text)
          expect(parsed.ok || scheduleErrorText(parsed.problem).length > 0).toBe(true)
        },
      ),
    )
  })
})

describe('nextRuns', () => {
  test.each([
    ['0 0 3 * * *', '2026-01-01T03:00:00Z', ['2026-01-02 03:00:00', '2026-01-03 03:00:00']],
    ['0 30 4 * * MON', '2026-11-20T00:00:00Z', ['2026-11-23 04:30:00', '2026-11-30 04:30:00']],
    ['5/25 0 0 1 1 *', '2026-12-31T00:00:00Z', ['2027-01-01 00:00:05', '2027-01-01 00:00:30', '2027-01-01 00:00:55']],
    ['0 0 0 13 * 5', '2026-11-01T00:00:00Z', ['2026-11-06 00:00:00', '2026-11-13 00:00:00', '2026-11-20 00:00:00']],
    ['0 0 0 13 * *', '2026-11-01T00:00:00Z', ['2026-11-13 00:00:00', '2026-12-13 00:00:00']],
    [
      '0 0 0 */2 * 0',
      '2026-11-01T12:00:00Z',
      ['2026-11-03 00:00:00', '2026-11-05 00:00:00', '2026-11-07 00:00:00', '2026-11-08 00:00:00'],
    ],
    ['0 0 0 1-31 * 0', '2026-11-02T12:00:00Z', ['2026-11-03 00:00:00', '2026-11-04 00:00:00']],
    ['0 0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29 00:00:00', '2032-02-29 00:00:00']],
    // The day after a month without a 31st counts too.
    ['0 0 0 2,16,31 * *', '2027-02-17T00:00:00Z', ['2027-03-02 00:00:00', '2027-03-16 00:00:00']],
    ['0 0 0 */5 * *', '2026-02-27T00:00:00Z', ['2026-03-01 00:00:00', '2026-03-06 00:00:00']],
    ['@weekly', '2026-11-20T00:00:00Z', ['2026-11-22 00:00:00', '2026-11-29 00:00:00']],
    ['CRON_TZ=Asia/Tokyo 0 0 9 * * *', '2026-01-01T12:00:00Z', ['2026-01-02 00:00:00', '2026-01-03 00:00:00']],
  ])('%s', (text, from, expected) => expect(runs(text, from, 'UTC', expected.length)).toEqual(expected))

  test.each(['0 0 0 30 2 *', '0 0 0 31 4,6 *'])('%s matches nothing within five years and never runs', (text) => {
    expect(runs(text, '2026-01-01T00:00:00Z')).toEqual([])
    expect(scheduleProblem(text)).toEqual({ code: 'neverRuns', params: { text } })
  })
  test.each(['0 0 0 29 2 *', '0 0 0 31 1,2 *', '0 0 0 31 2 1', '@every 5s', '0 0 0 28-31 feb *'])(
    'issue 36.40 %s comes, however seldom',
    (text) => expect(scheduleProblem(text)).toBeNull(),
  )

  test.each([
    ['0 30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', ['2026-03-28 02:30:00', '2026-03-30 02:30:00']],
    [
      '0 0,30 2,3 * * *',
      'Europe/Berlin',
      '2026-03-29T00:00:00Z',
      ['2026-03-29 03:00:00', '2026-03-29 03:30:00', '2026-03-30 02:00:00'],
    ],
    ['0 30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', ['2026-03-09 02:30:00', '2026-03-10 02:30:00']],
    ['0 0 0 * * *', 'America/Santiago', '2025-09-06T12:00:00Z', ['2025-09-08 00:00:00', '2025-09-09 00:00:00']],
  ])('S-49 a time in the gap is skipped: %s in %s', (text, zone, from, expected) => {
    expect(runs(text, from, zone, expected.length)).toEqual(expected)
  })

  test.each([
    ['0 30 2 * * *', 'Europe/Berlin', '2025-10-25T23:00:00Z', ['2025-10-26 02:30:00', '2025-10-27 02:30:00']],
    ['0 30 2 * * *', 'Europe/Berlin', '2025-10-26T00:45:00Z', ['2025-10-27 02:30:00', '2025-10-28 02:30:00']],
    [
      '0 0 * * * *',
      'Europe/Berlin',
      '2025-10-25T22:30:00Z',
      ['2025-10-26 01:00:00', '2025-10-26 02:00:00', '2025-10-26 03:00:00'],
    ],
    [
      '0 0,30 1,2 * * *',
      'America/New_York',
      '2025-11-02T04:30:00Z',
      ['2025-11-02 01:00:00', '2025-11-02 01:30:00', '2025-11-02 02:00:00'],
    ],
    ['0 45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', ['2026-04-05 01:45:00', '2026-04-06 01:45:00']],
  ])('S-49 a doubled time runs once: %s in %s', (text, zone, from, expected) => {
    expect(runs(text, from, zone, expected.length)).toEqual(expected)
  })

  test('an interval is counted from its registration and rounded to whole seconds', () => {
    const since = 1_000_000
    const at = (text: string, from: number) => nextRuns(read(text), { from, since, count: 2, timeZone: 'UTC' })
    expect(at('@every 1m', since)).toEqual([since + 60_000, since + 120_000])
    expect(at('@every 1m', since + 60_000)).toEqual([since + 120_000, since + 180_000])
    expect(at('@every 1m30.9s', since + 1)).toEqual([since + 90_000, since + 180_000])
    expect(at('@every 1000ms', since)).toEqual([since + 1000, since + 2000])
  })

  test('issue 10.12: an interval that was stored by a clock that was ahead does not wait for that time', () => {
    const since = Date.parse('2030-01-01T00:00:10Z')
    const from = Date.parse('2026-11-20T12:00:00Z')
    const every = read('@every 1m')
    expect(nextRuns(every, { from, since, count: 2, timeZone: 'UTC' })).toEqual([from + 10_000, from + 70_000])
  })

  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kolkata', 'UTC']
  const changes = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04', '2026-09-06']
  const some = (min: number, max: number) =>
    fc.oneof(
      fc.constantFrom('*', '*/2'),
      fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
    )

  test('agrees with trying every minute around the clock changes', () => {
    const text = fc
      .tuple(some(0, 59), some(0, 4), some(1, 10), some(0, 6))
      .map(([m, h, d, w]) => `0 ${m} ${h} ${d} * ${w}`)
    fc.assert(
      fc.property(text, fc.constantFrom(...zones), fc.constantFrom(...changes), (spec, zone, day) => {
        const from = Date.parse(`${day}T00:00:00Z`) - 24 * 3_600_000
        const until = from + 48 * 3_600_000
        const got = nextRuns(read(spec), { from, count: 60, timeZone: zone }).filter((time) => time <= until)
        expect(got).toEqual(everyMinute(read(spec), { from, until, zone }).slice(0, 60))
      }),
      { numRuns: 60 },
    )
  })
})

/** The same by brute force: every minute of the window whose wall time is allowed and has not been seen. */
function everyMinute(
  schedule: Schedule,
  { from, until, zone }: { from: number; until: number; zone: string },
): number[] {
  if (schedule.kind === 'interval') return []
  const { times, eitherDay } = schedule
  const seen = new Set<string>()
  const found: number[] = []
  for (let time = from - 4 * 3_600_000; time <= until; time += 60_000) {
    const local = wall(time, zone)
    const date = new Date(`${local.replace(' ', 'T')}Z`)
    const day = times.day.includes(date.getUTCDate())
    const weekday = times.weekday.includes(date.getUTCDay())
    const dated = eitherDay ? day || weekday : day && weekday
    const due = dated && times.hour.includes(date.getUTCHours()) && times.minute.includes(date.getUTCMinutes())
    if (due && !seen.has(local) && time > from) found.push(time)
    seen.add(local)
  }
  return found
}
