import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createLastSeen, createLiveStore } from './live-store.ts'

let clock: TestClock
let base: TestBase
beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
})
afterEach(() => base.close())

test('a fleet that came at once is written little by little, who falls silent first, each within a minute', async () => {
  const live = createLiveStore(base)
  const engine = createLastSeen(base, live)
  await engine.start()
  const ids: number[] = []
  for (let count = 0; count < 90; count++) ids.push((await base.addServer({ name: `web-${count}` })).id)
  for (const id of ids) live.reportState(id, { cpu: 1 })
  const written = () => ids.filter((id) => base.servers.find(id)!.last_seen_at !== null)
  live.silent(ids.at(-1)!)
  await clock.advance(1000)
  expect(written()).toHaveLength(20)
  expect(written()).toContain(ids.at(-1))
  await clock.advance(30_000)
  expect(written()).toHaveLength(90)
  await engine.stop()
})
