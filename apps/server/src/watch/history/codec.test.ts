import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeRow, decodeStep, encodeRow, encodeStep } from './codec.ts'
import { createGatherer, metricNames, serverScales, serviceScales, toStep } from './figures.ts'
import type { Figure, Step } from './steps.ts'

const minute = 60_000

test('a step of a service is a few letters', () => {
  const step = { at: 0, n: 3, down: 1, figures: [[12.3456, 10, 15, 15]] as Figure[] }
  const text = encodeStep(step, serviceScales)
  expect(text).toBe('DB0jYqpC-yCo8E')
  expect(decodeStep(text, 0, serviceScales)).toEqual({ ...step, figures: [[12.346, 10, 15, 15]] })
})

test.each<[what: string, figure: Figure, read: Figure]>([
  ['zero', [0, 0, 0, 0], [0, 0, 0, 0]],
  ['what did not move', [4.2, 4.2, 4.2, 4.2], [4.2, 4.2, 4.2, 4.2]],
  ['degrees below zero', [-3.5, -10, 1, -10], [-3.5, -10, 1, -10]],
  ['more than any machine has', [1e300, 1e300, 1e300, 1e300], [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50]],
])('%s is read as it was written', (_, figure, read) => {
  const scales = [read[0] === 2 ** 50 ? 1 : 10]
  const step = { at: 60, n: 1, down: 0, figures: [figure] }
  expect(decodeStep(encodeStep(step, scales), 60, scales).figures).toEqual([read])
})

const figure = fc
  .array(fc.double({ min: -1e6, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 10 })
  .map(
    (values): Figure => [
      values.reduce((sum, value) => sum + value, 0) / values.length,
      Math.min(...values),
      Math.max(...values),
      values.at(-1)!,
    ],
  )

test('whatever is reported is read to within the scale, the unknown as unknown', () => {
  const places = fc.uniqueArray(fc.nat(19), { minLength: 1 }).map((list) => list.sort((a, b) => a - b))
  const figures = fc.array(fc.option(figure), { minLength: 17, maxLength: 17 })
  fc.assert(
    fc.property(places, figures, fc.nat(1e6), fc.nat(1e6), (at, known, n, down) => {
      const row = { at: 1_200_000, stepMs: 30_000 }
      const steps = at.map((place): Step => ({ at: row.at + place * row.stepMs, n, down, figures: known }))
      const read = decodeRow(encodeRow(steps, row, serverScales), row, serverScales)
      expect(read.map((step) => [step.at, step.n, step.down])).toEqual(steps.map((step) => [step.at, n, down]))
      for (const [index, scale] of serverScales.entries()) {
        const [wanted, got] = [known[index] ?? null, read[0]!.figures[index]!]
        expect(got === null).toBe(wanted === null)
        for (const part of [0, 1, 2, 3] as const)
          if (wanted && got)
            expect(Math.abs(wanted[part] - got[part])).toBeLessThanOrEqual(
              0.5001 / scale + Math.abs(wanted[part]) * 1e-12,
            )
      }
    }),
  )
})

describe('samples of a server', () => {
  const gatherer = createGatherer()
  for (const cpu of [10, 30, 20]) gatherer.add(7, { cpu, mem_used: 1024 * 1024, load_1: 0.5, uptime: cpu })
  gatherer.add(9, {
    cpu: 1,
    temperatures: [
      { Name: 'a', Temperature: 40 },
      { Name: 'b', Temperature: 61.5 },
    ],
    gpu: [3, 99],
  })

  test('are gathered to mean, least, greatest and last', () => {
    const step = gatherer.stepOf(7, minute)!
    const of = (name: (typeof metricNames)[number]) => step.figures[metricNames.indexOf(name)]
    expect(step).toMatchObject({ at: minute, n: 3, down: 0 })
    expect(of('cpu')).toEqual([20, 10, 30, 20])
    expect(of('memory')).toEqual([1048576, 1048576, 1048576, 1048576])
    expect(of('swap')).toEqual([0, 0, 0, 0])
    expect(of('uptime')).toEqual([20, 10, 30, 20])
  })

  test('of cards and sensors the highest counts, and without any nothing is known', () => {
    const of = (id: number, name: (typeof metricNames)[number]) =>
      gatherer.stepOf(id, 0)!.figures[metricNames.indexOf(name)]
    expect(of(9, 'gpu')).toEqual([99, 99, 99, 99])
    expect(of(9, 'temperature')).toEqual([61.5, 61.5, 61.5, 61.5])
    expect([of(7, 'gpu'), of(7, 'temperature')]).toEqual([null, null])
  })

  test('of a thousand servers are all there when they are taken, and gathering begins anew', () => {
    for (let id = 100; id < 1100; id++) gatherer.add(id, { cpu: id })
    const { ids, numbers } = gatherer.take()
    expect(ids).toHaveLength(1002)
    expect(toStep(numbers, 1001, minute).figures[0]).toEqual([1099, 1099, 1099, 1099])
    expect(gatherer.isEmpty()).toBe(true)
    gatherer.add(3, { cpu: 5 })
    expect(gatherer.stepOf(3, 0)!.figures[0]).toEqual([5, 5, 5, 5])
  })
})

test('only the metrics that are wanted are read', () => {
  const gatherer = createGatherer()
  gatherer.add(1, { cpu: 12, mem_used: 2048, load_15: 3 })
  const text = encodeStep(gatherer.stepOf(1, 0)!, serverScales)
  const pick = new Set([metricNames.indexOf('memory'), metricNames.indexOf('load15')])
  expect(decodeStep(text, 0, serverScales, pick).figures).toEqual([
    [2048, 2048, 2048, 2048],
    [3, 3, 3, 3],
  ])
})

test('issue 36.1: what a host can’t measure is no data, not 0', () => {
  const gatherer = createGatherer()
  gatherer.add(1, { mem_used: 5 }, { unmeasured: ['cpu'] })
  const step = gatherer.stepOf(1, 0)!
  expect(step.figures[metricNames.indexOf('cpu')]).toBeNull()
  expect(step.figures[metricNames.indexOf('memory')]).toEqual([5, 5, 5, 5])
})
