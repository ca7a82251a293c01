import { expect, test } from 'vitest'
import type { RunCounts } from '../resources/index.ts'
import { rolloutStep } from './run.ts'

const counts = (done: number, waiting: number): RunCounts => ({
  waiting,
  sent: 0,
  running: 0,
  success: done,
  failure: 0,
  no_answer: 0,
})

test.each([
  [{ canary: 1, batch: 10 }, counts(0, 25), { step: 1, steps: 4, isCanary: true }],
  [{ canary: 1, batch: 10 }, counts(1, 24), { step: 1, steps: 4, isCanary: true }],
  [{ canary: 1, batch: 10 }, counts(11, 14), { step: 2, steps: 4, isCanary: false }],
  [{ canary: 1, batch: 10 }, counts(25, 0), { step: 4, steps: 4, isCanary: false }],
  [{ canary: 2, batch: 0 }, counts(9, 0), { step: 2, steps: 2, isCanary: false }],
  [{ canary: 0, batch: 3 }, counts(3, 4), { step: 1, steps: 3, isCanary: false }],
  [{ canary: 5, batch: 1 }, counts(2, 0), { step: 1, steps: 1, isCanary: true }],
])('C-15 %o with %o is at %o', (plan, now, at) => {
  expect(rolloutStep({ ...plan, soak: 0, max_failures: 0, state: 'going' }, now)).toEqual(at)
})
