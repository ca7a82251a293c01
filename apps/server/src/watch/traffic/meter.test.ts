import { expect, test } from 'vitest'
import { grown, meterAt, read, unwritten, written } from './meter.ts'

const counters = (boot: number, bytesIn: number, bytesOut: number) => ({ boot, in: bytesIn, out: bytesOut })

test.each([
  ['growth counts from the first report', [counters(9, 100, 10), counters(9, 150, 30)], [50, 20]],
  ['a host with one direction is counted too', [counters(9, 100, 0), counters(9, 150, 0)], [50, 0]],
  ['a boot begins at nothing', [counters(9, 100, 10), counters(9, 150, 30), counters(99, 7, 3)], [57, 23]],
  ['a boot time that wavers is no boot', [counters(9, 100, 10), counters(11, 150, 30)], [50, 20]],
  [
    'a fall without a boot is not counted',
    [counters(9, 100, 10), counters(9, 150, 30), counters(9, 20, 5), counters(9, 25, 6)],
    [55, 21],
  ],
  ['two boots', [counters(9, 100, 10), counters(99, 5, 5), counters(999, 7, 7)], [12, 12]],
])('%s', (_name, [first, ...others], [bytesIn, bytesOut]) => {
  expect(grown(others.reduce(read, meterAt(first!)))).toEqual({ in: bytesIn, out: bytesOut })
})

test('what was written down is not counted again, what could not be is', () => {
  const meter = [counters(9, 150, 30)].reduce(read, meterAt(counters(9, 100, 10)))
  const bytes = grown(meter)
  expect(grown(written(meter))).toEqual({ in: 0, out: 0 })
  expect(grown(read(unwritten(written(meter), bytes), counters(9, 151, 31)))).toEqual({ in: 51, out: 21 })
})
