import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createMutes, decideMute } from './mutes.ts'

const minute = 60_000
const hour = 60 * minute

describe('how long a notice is muted', () => {
  test.each([
    ['the first', undefined, 0, true, { sentAt: 0, waitMs: 15 * minute }],
    ['within the wait', { sentAt: 0, waitMs: 15 * minute }, 15 * minute - 1, false, { sentAt: 0, waitMs: 15 * minute }],
    ['at its end', { sentAt: 0, waitMs: 15 * minute }, 15 * minute, true, { sentAt: 15 * minute, waitMs: 30 * minute }],
    ['after 12 h', { sentAt: 0, waitMs: 12 * hour }, 12 * hour, true, { sentAt: 12 * hour, waitMs: 24 * hour }],
    ['capped', { sentAt: 0, waitMs: 16 * hour }, 16 * hour, true, { sentAt: 16 * hour, waitMs: 24 * hour }],
    [
      'just not forgotten',
      { sentAt: 0, waitMs: hour },
      hour + 10 * minute - 1,
      true,
      { sentAt: 70 * minute - 1, waitMs: 2 * hour },
    ],
    ['forgotten', { sentAt: 0, waitMs: hour }, hour + 10 * minute, true, { sentAt: 70 * minute, waitMs: 15 * minute }],
    ['a clock set back', { sentAt: hour, waitMs: hour }, 0, true, { sentAt: 0, waitMs: 15 * minute }],
  ])('%s', (_name, known, now, isSent, mute) => {
    expect(decideMute(known, now)).toEqual({ isSent, mute })
  })
})

describe('mutes', () => {
  let clock: TestClock
  let base: TestBase
  beforeEach(async () => {
    clock = createTestClock()
    base = await createTestBase(clock)
  })
  afterEach(() => base.close())

  test('an incident that lasts is told at 0, 15, 45 and 105 minutes', async () => {
    const mutes = createMutes(base)
    const told: number[] = []
    for (let at = 0; at <= 120; at += 1) {
      if (mutes.take('rule 1 server 2', 'ops')) told.push(at)
      await clock.advance(minute)
    }
    expect(told).toEqual([0, 15, 45, 105])
  })

  test('labels and groups stand for themselves; a lifted one is told again', () => {
    const mutes = createMutes(base)
    expect([mutes.take('a', 'g'), mutes.take('a', 'g'), mutes.take('b', 'g'), mutes.take('a', 'h')]).toEqual([
      true,
      false,
      true,
      true,
    ])
    mutes.lift('a', 'g')
    expect([mutes.take('a', 'g'), mutes.take('a', 'h')]).toEqual([true, false])
    expect([mutes.take('x","y', 'z'), mutes.take('x', 'y","z')]).toEqual([true, true])
  })

  test('survive a restart until they are lifted', async () => {
    const mutes = createMutes(base)
    for (const label of ['a', 'b']) mutes.take(label, 'g')
    mutes.lift('b', 'g')
    await base.writes.stored()
    await clock.advance(minute)
    const after = createMutes(base)
    await after.load()
    expect([after.take('a', 'g'), after.take('b', 'g')]).toEqual([false, true])
  })
})
