import { describe, expect, test } from 'vitest'
import { createFormat, createTranslator, languages, loadLanguage } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'Europe/Berlin' })
const now = Date.parse('2026-11-20T13:32:07Z')

describe('durations', () => {
  test.each([
    [0, '0 s'],
    [0.4, '0.4 s'],
    [41.2, '41.2 s'],
    [59.94, '59.9 s'],
    [59.97, '1 min'],
    [60, '1 min'],
    [72, '1 min 12 s'],
    [3599.9, '59 min 59 s'],
    [3600, '1 h'],
    [7560, '2 h 6 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 d'],
    [7_862_400, '91 d'],
  ])('%d s', (seconds, text) => expect(format.duration(seconds)).toBe(text))
})

describe('sizes', () => {
  test.each([
    [0, '0 B', '0 B/s', '0 B'],
    [999, '999 B', '999 B/s', '999 B'],
    [1000, '1.0 KiB', '1.0 KiB/s', '1.0 K'],
    [219_136, '214 KiB', '214 KiB/s', '214 K'],
    [13_212_057, '12.6 MiB', '12.6 MiB/s', '12.6 M'],
    [106_954_752, '102 MiB', '102 MiB/s', '102 M'],
    [2 ** 50 * 3000, '3,000 PiB', '3,000 PiB/s', '3,000 P'],
  ])('%d', (value, bytes, rate, short) => {
    const { number, unit } = format.measure(value)
    expect([format.bytes(value), format.rate(value), `${number} ${unit}`]).toEqual([bytes, rate, short])
  })
  test('percent', () => expect([format.percent(95.6), format.percent(0)]).toEqual(['96%', '0%']))
  test('percent with decimals', () => {
    expect([format.percent(99.996, 2), format.percent(99.9, 2, true), format.percent(3.04, 1)]).toEqual([
      '100%',
      '99.90%',
      '3%',
    ])
  })
})

test.each([
  ['en-US', '95.6%'],
  ['de-DE', '95,6\u00a0%'],
  ['es-ES', '95,6\u00a0%'],
  ['it-IT', '95,6%'],
  ['ru-RU', '95,6\u00a0%'],
  ['ta-IN', '95.6%'],
  ['zh-CN', '95.6%'],
  ['zh-TW', '95.6%'],
] as const)('issue 35: percent is written as %s writes it: %s', async (language, text) => {
  const translator = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
  expect(createFormat({ translator }).percent(95.6, 1)).toBe(text)
})

describe('times', () => {
  test.each([
    ['2026-11-20T10:20:00Z', '11:20', '3 h 12 min ago'],
    ['2026-11-20T13:32:07.500Z', '14:32', 'now'],
    ['2026-11-20T23:05:00Z', 'Sat 00:05', 'in 9 h 32 min'],
    ['2026-11-16T03:30:00Z', 'Mon 04:30', '4 d ago'],
    ['2026-10-29T09:12:00Z', 'Oct 29', '22 d ago'],
    ['2025-10-29T09:12:00Z', '2025-10-29', '387 d ago'],
  ])('%s', (at, short, distance) => {
    expect(format.instant(at, now)).toBe(short)
    expect(format.distance(at, now)).toBe(distance)
    expect(format.since(at, now)).toBe(`${short}, ${distance}`)
  })
  test.each([
    ['2026-11-20T10:20:00Z', '11:20'],
    ['2026-11-16T03:30:00Z', 'Mon 04:30'],
    ['2026-10-29T09:12:00Z', 'Oct 29, 10:12'],
    ['2027-01-02T07:00:00Z', '2027-01-02 08:00'],
  ])('where there is room, %s has its time', (at, text) => expect(format.instantRoomy(at, now)).toBe(text))
  test('in full, with the zone', () => {
    expect(format.instantFull('2026-11-20T10:20:00Z')).toBe('Friday, November 20, 2026 at 11:20:00 GMT+1')
    expect(format.instantLong('2026-11-21T02:00:00Z')).toBe('Sat, Nov 21, 03:00:00')
    expect(format.day('2026-11-21T02:00:00Z')).toBe('Sat, Nov 21')
    expect(format.clock(now)).toBe('14:32:07')
    expect([format.offset(now), format.offset(Date.parse('2026-07-01'))]).toEqual(['UTC+1', 'UTC+2'])
  })
  test.each(languages)('a date of another year has ten signs in %s', async (language) => {
    const own = createTranslator({ language, bundles: { [language]: await loadLanguage(language) } })
    for (let month = 0; month < 12; month++) {
      const text = createFormat({ translator: own, timeZone: 'UTC' }).instant(Date.UTC(2025, month, 28), now)
      expect(text).toMatch(/^[\d/.-]{10}$/)
      expect(text).toContain('2025')
    }
  })
  test('midnight is 00, not 24', () => expect(format.clock(Date.parse('2026-11-20T23:00:00Z'))).toBe('00:00:00'))
  test('an unknown zone is refused', () => {
    expect(() => createFormat({ translator, timeZone: 'Mars/Base' })).toThrow(RangeError)
  })
})
