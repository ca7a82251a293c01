import { TriggerMode } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { isRepeatTick, whatToSay } from './say.ts'

test.each([
  ['begins', 'failing', { isFailing: false, isSaid: false }, false, 'failing'],
  ['lasts', 'failing', { isFailing: true, isSaid: true }, false, null],
  ['lasts, and it is time to say so again', 'failing', { isFailing: true, isSaid: true }, true, 'failing'],
  ['lasted over a restart, and is not said yet', 'failing', { isFailing: true, isSaid: false }, false, 'failing'],
  ['is over', 'passing', { isFailing: true, isSaid: true }, false, 'recovered'],
  ['was over before', 'passing', { isFailing: false, isSaid: true }, true, null],
  ['cannot be told', 'unknown', { isFailing: true, isSaid: true }, true, null],
] as const)('a failure that %s', (_, verdict, known, isRepeat, says) => {
  expect(whatToSay(known, verdict, isRepeat)).toBe(says)
})

test.each([
  [TriggerMode.always, 3, [false, true, false, false, false, false, true]],
  [TriggerMode.once, 3, [false, false, false, false, false, false, false]],
])('in mode %s rule %s says again what lasts in some ticks', (trigger_mode, id, repeats) => {
  expect(repeats.map((_, index) => isRepeatTick({ row: { id, trigger_mode } }, index + 1))).toEqual(repeats)
})
