import { TriggerMode } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { createAlertMessage, isRepeatTick, mark, whatToSay } from './message.ts'

const base = { servers: { find: () => ({ name: 'web-1' }) }, settings: { get: () => ({}), timeZone: () => 'UTC' } }
const messageOf = createAlertMessage(base as never, { geoipOf: () => ({}) } as never)

test.each([
  [12, 36, 'fs_full_in 12 h, limit 36 h'],
  [71, 72, 'fs_full_in 71 h, limit 3 d'],
  [365 * 24, 7 * 24, 'fs_full_in not filling up, limit 7 d'],
  [20 * 24, 365 * 24, 'fs_full_in 20 d, limit 365 d'],
])('a filesystem that is full in %d h, with a limit of %d h', (value, limit, text) => {
  const reading = { metric: 'fs_full_in', value: value * 3600, limit: limit * 3600 }
  expect(messageOf(mark.recovered, 1, 'disk', { reading, since: null })).toBe(`[Resolved] web-1() disk: ${text}`)
})

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
