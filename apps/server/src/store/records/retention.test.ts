import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createRetention, type Retention } from './retention.ts'

const [minute, hour] = [60_000, 3_600_000]
const tenYears = 3650 * 24 * hour
let clock: TestClock
let base: TestBase
let retention: Retention
beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  retention = await createRetention(base)
})
afterEach(async () => {
  retention.stop()
  await base.close()
})

const words = () => base.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)

test('follows a clock that goes right, without a word', async () => {
  for (let day = 0; day < 3; day += 1) {
    await clock.advance(24 * hour)
    expect(clock.now() - retention.now()).toBeLessThanOrEqual(minute)
  }
  expect(words()).toEqual([])
})

test('R-15 a jump forward is not followed, from the first moment on, and is told once', async () => {
  await clock.advance(hour)
  const before = clock.now()
  clock.jump(tenYears)
  expect(retention.now()).toBeLessThanOrEqual(before + minute)
  await clock.advance(2 * hour)
  expect(retention.now()).toBeLessThanOrEqual(before + 2 * hour + 2 * minute)
  expect(words()).toEqual([expect.stringContaining('the clock was set forward by 3650 d')])
})

test('a clock that stays where it was set is believed after a day', async () => {
  clock.jump(30 * 24 * hour)
  await clock.advance(24 * hour + 10 * minute)
  expect(clock.now() - retention.now()).toBeLessThanOrEqual(minute)
  expect(words().at(-1)).toContain('clock stable for a day')
})

test('a step back is followed at once: less is old then', async () => {
  await clock.advance(hour)
  clock.jump(-hour)
  expect(retention.now()).toBe(clock.now())
})

test('R-15 a clock that is wrong when the server starts is not believed either', async () => {
  base.audit.record({ caller: null, action: 'sign-in', result: 'ok' })
  await clock.advance(1000)
  const before = clock.now()
  retention.stop()
  clock.jump(tenYears)
  retention = await createRetention(base)
  expect(retention.now()).toBeLessThanOrEqual(before + minute)
})
