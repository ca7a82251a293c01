import { expect, test } from 'vitest'
import { parseStreamClose, type StreamEnd, streamClose } from './stream-close.ts'

test('every reason is read back from its code, which a websocket leaves to applications', () => {
  for (const [end, code] of Object.entries(streamClose)) {
    expect(parseStreamClose(code)).toBe(end as StreamEnd)
    expect(code).toBeGreaterThanOrEqual(4000)
    expect(code).toBeLessThan(5000)
  }
  expect([1000, 1001, 1006, 1009, 4007].map(parseStreamClose)).toEqual(Array(5).fill(undefined))
})
