import { expect, test } from 'vitest'
import { type Condition, checkCycle, createCycleCheck, nextCheckAt } from './conditions.ts'

test.each([
  [0, 1000, 1800],
  [250, 1000, 1350],
  [500, 1000, 900],
  [750, 1000, 450],
  [900, 1000, 180],
  [5000, 1000, 180],
  [5, 0, 180],
  [0, 0, 0],
])('%i of %i bytes: looked at again after %i s', (value, max, seconds) => {
  expect(nextCheckAt(1_000_000, { value, max }) - 1_000_000).toBe(seconds * 1000)
})

test('issue 36.41 a new rule notices within a minute what passes its limit', () => {
  const cycle = { start: 0, interval: 1, unit: 'day' } as never
  const condition = { type: 'transfer_in_cycle', kind: 'cycle', direction: 'in', min: 0, max: 1000, cycle } as Condition
  const check = { ...createCycleCheck(), span: { from: 0, to: 86_400_000 } }
  let value = 0
  const at = (now: number) => checkCycle(condition as never, check, { now, transferred: () => value })
  expect(at(1000)).toBe('passing')
  value = 5000
  expect(at(1000 + 60_000)).toBe('failing')
  expect(check.nextAt).toBe(61_000 + 180_000)
})
