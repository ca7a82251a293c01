import { describe, expect, test } from 'vitest'
import { alignLines, lastKnown } from './align.ts'

const span = { from: 60_000, to: 180_000, stepMs: 30_000 }

describe('lines of a chart', () => {
  test('stand on the same steps; what was not measured is a gap', () => {
    const { times, lines } = alignLines(
      [
        [
          [60_000, 1, 0, 2, 1],
          [120_000, 3, 3, 3, 3],
        ],
        [[90_000, 5, 4, 6, 5]],
      ],
      span,
    )
    expect(times).toEqual([60_000, 90_000, 120_000, 150_000, 180_000])
    expect(lines.map(({ mean }) => mean)).toEqual([
      [1, null, 3, null, null],
      [null, 5, null, null, null],
    ])
    expect(lines[0]!.most).toEqual([2, null, 3, null, null])
  })
  test('leave out what is not in the span', () => {
    const { lines } = alignLines(
      [
        [
          [30_000, 1, 1, 1, 1],
          [210_000, 2, 2, 2, 2],
        ],
      ],
      span,
    )
    expect(lines[0]!.mean.every((value) => value === null)).toBe(true)
  })
  test('the last step with a value is found, or none', () => {
    expect(
      lastKnown(
        alignLines(
          [
            [
              [60_000, 1, 1, 1, 1],
              [120_000, 3, 3, 3, 3],
            ],
          ],
          span,
        ),
      ),
    ).toBe(2)
    expect(lastKnown(alignLines([[]], span))).toBeNull()
  })
})
