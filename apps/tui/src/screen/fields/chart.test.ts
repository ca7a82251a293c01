import { describe, expect, test } from 'vitest'
import { lineText } from '../terminal/line.ts'
import { axisLine, type ChartPoint, chartLines, chartStats, historyPoint } from './chart.ts'
import { dayBars } from './meter.ts'

const texts = (points: readonly ChartPoint[], size: { columns: number; rows: number; top?: number }) =>
  chartLines({ points, from: 0, to: 100, top: 100, ...size }).map(lineText)

describe('charts', () => {
  test('columns are filled by eighths of a row, from the lower edge', () => {
    const points: ChartPoint[] = [
      [5, 0],
      [15, 25],
      [25, 50],
      [35, 75],
      [45, 100],
    ]
    expect(texts(points, { columns: 10, rows: 2 })).toEqual(['   ▄█     ', '▁▄███     '])
  })
  test('what is missing stays blank, but for steps that are wider than a cell', () => {
    const hourly: ChartPoint[] = [0, 25, 75].map((at) => [at, 100])
    expect(texts(hourly, { columns: 20, rows: 1 })).toEqual(['██████████     █████'])
    expect(texts([[50, 100]], { columns: 4, rows: 1 })).toEqual(['  █ '])
    expect(texts([], { columns: 4, rows: 1 })).toEqual(['    '])
  })
  test('a cell is the mean of its samples, values beyond the top are cut, samples outside are left out', () => {
    expect(
      texts(
        [
          [1, 0],
          [2, 100],
        ],
        { columns: 1, rows: 1 },
      ),
    ).toEqual(['▄'])
    expect(
      texts(
        [
          [1, 900],
          [-5, 100],
          [100, 100],
          [500, 100],
        ],
        { columns: 2, rows: 1 },
      )[0]![0],
    ).toBe('█')
  })
  test('figures: last, mean and peak', () => {
    expect(
      chartStats([
        [1, 2],
        [2, 6],
        [3, 4],
      ]),
    ).toEqual({ last: 4, mean: 4, peak: 6 })
    expect(chartStats([])).toBeNull()
  })
  test('the peak of steps is the greatest value that was measured, not the greatest mean', () => {
    const steps = [
      [1, 20, 5, 90, 10],
      [2, 30, 5, 40, 35],
    ] as const
    expect(chartStats(steps.map((step) => historyPoint([...step])))).toEqual({ last: 30, mean: 25, peak: 90 })
  })
  test('the line of times is as wide as the chart', () => {
    const line = lineText(axisLine({ from: '06:00', middle: '06:30', to: '07:00' }, 40))
    expect(line).toHaveLength(40)
    expect(line).toMatch(/^06:00 +06:30 +07:00$/)
  })
})

test('days: the worse, the taller; without data a dot; the shape says it without colour', () => {
  const line = dayBars([-1, 100, 99.5, 96, 90, 60, 0])
  expect(lineText(line)).toBe('·▁▂▄▆▇█')
  expect(line.map(({ roles }) => roles[0])).toEqual(['muted', 'ok', 'ok', 'warn', 'bad', 'bad', 'bad'])
})
