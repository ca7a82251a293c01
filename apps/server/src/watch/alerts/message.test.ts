import { expect, test } from 'vitest'
import { createAlertMessage, mark } from './message.ts'

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
