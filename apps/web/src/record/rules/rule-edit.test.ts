import { describe, expect, test } from 'vitest'
import {
  everywhere,
  newCondition,
  sharesCoverage,
  shownLimit,
  sideOf,
  typedLimit,
  typedSamples,
  withCoverage,
  withSide,
  withType,
} from './rule-edit.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const cpu = { type: 'cpu', max: 90, duration: 20, cover: 0, ignore: { '3': true } }

describe('N-06 a condition of the sentence', () => {
  test.each([
    [{ max: 90 }, 'above'],
    [{ min: 5 }, 'below'],
    [{ min: 5, max: 90 }, 'outside'],
    [{ min: 0, max: 90 }, 'above'],
    [{}, 'above'],
  ] as const)('%o is %s', (limits, side) => {
    expect(sideOf({ type: 'cpu', cover: 0, ...limits })).toBe(side)
  })

  test('moves its limit to the other side and keeps both in between', () => {
    expect(withSide(cpu, 'below')).toEqual({ type: 'cpu', min: 90, duration: 20, cover: 0, ignore: { '3': true } })
    expect(withSide(cpu, 'outside')).toMatchObject({ min: Number.NaN, max: 90 })
    expect(withSide(withSide(cpu, 'below'), 'above')).toEqual(cpu)
  })

  test('another metric keeps limit, time and servers where they mean the same', () => {
    expect(withType(cpu, 'memory', now)).toEqual({ ...cpu, type: 'memory' })
    expect(withType(cpu, 'load5', now)).toEqual({ ...cpu, type: 'load5', max: Number.NaN })
    expect(withType(cpu, 'offline', now)).toEqual({ type: 'offline', duration: 20, cover: 0, ignore: { '3': true } })
  })

  test('Q5 a cycle always says its unit', () => {
    const cycle = withType(cpu, 'transfer_all_cycle', now)
    expect(cycle).toMatchObject({ cycle_interval: 1, cycle_unit: 'month', cover: 0, ignore: { '3': true } })
    expect(cycle).not.toHaveProperty('duration')
    expect(Date.parse(cycle.cycle_start!)).toBeLessThan(now)
    expect(newCondition('transfer_in_cycle', everywhere, now).cycle_unit).toBe('month')
  })

  test.each([
    ['cpu', '90', 90],
    ['cpu', '90 %', 90],
    ['cpu', '101', Number.NaN],
    ['cpu', '0', Number.NaN],
    ['cpu', 'much', Number.NaN],
    ['load5', '6.5', 6.5],
    ['transfer_all', '20 TiB', 20 * 1024 ** 4],
    ['net_in_speed', '5 MiB/s', 5 * 1024 ** 2],
    ['temperature_max', '85', 85],
  ])('a limit of %s typed as %j is %d', (type, text, value) => {
    expect(typedLimit(type, text)).toBe(value)
  })

  test('a limit is shown as it can be typed', () => {
    expect(shownLimit('transfer_all', 20 * 1024 ** 4)).toBe('20 TiB')
    expect(shownLimit('cpu', 90)).toBe('90')
    expect(shownLimit('cpu', Number.NaN)).toBe('')
    expect(typedLimit('net_in_speed', shownLimit('net_in_speed', 3 * 1024 ** 2))).toBe(3 * 1024 ** 2)
  })

  test('seconds become samples of 3 s', () => {
    expect(typedSamples(60)).toBe(20)
    expect(typedSamples(1)).toBe(1)
    expect(typedSamples(null)).toBeNaN()
  })

  test('coverage is said once while all conditions watch the same servers', () => {
    const rules = [cpu, { ...cpu, type: 'load5', ignore: { '3': true, '4': false } }]
    expect(sharesCoverage(rules)).toBe(true)
    const other = withCoverage(rules, 1, { cover: 1, servers: [7] })
    expect(sharesCoverage(other)).toBe(false)
    expect(other[0]).toEqual(cpu)
    expect(sharesCoverage(withCoverage(other, null, { cover: 1, servers: [8, 9] }))).toBe(true)
  })
})
