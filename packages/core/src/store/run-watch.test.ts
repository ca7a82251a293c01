import { expect, test } from 'vitest'
import type { RunCounts } from '../resources/index.ts'
import { createRunWatch } from './run-watch.ts'

const counts = (sent: number, success: number): RunCounts => ({
  ...{ waiting: 0, running: 0, failure: 0, no_answer: 0 },
  sent,
  success,
})

/** A run that the server says is over in its second answer, and a clock that is moved by hand. */
function setUp() {
  const timers = new Map<() => void, number>()
  let now = 0
  const details: { counts?: RunCounts } = {}
  let reads = 0
  const row$ = { get: () => details, peek: () => details }
  const given = {
    onRead: (error: unknown) => expect(error).toBeNull(),
    setTimer(run: () => void, ms: number) {
      timers.set(run, now + ms)
      return () => timers.delete(run)
    },
    records: {
      row$: () => row$,
      detail$: () => row$,
      async loadOne() {
        reads += 1
        details.counts = reads === 1 ? counts(1, 0) : counts(0, 1)
        return { ...details }
      },
    },
  } as unknown as Parameters<typeof createRunWatch>[0]
  const pass = async (ms: number) => {
    now += ms
    for (const [run, at] of [...timers]) if (at <= now && timers.delete(run)) run()
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
  return { given, details, pass, reads: () => reads }
}

test('what the feed tells of a run while the next request would come too soon is asked for afterwards', async () => {
  const { given, details, pass, reads } = setUp()
  const leave = createRunWatch(given, 1).enter()
  await pass(100)
  details.counts = counts(0, 1)
  expect(reads()).toBe(1)
  await pass(700)
  expect(reads()).toBe(2)
  await pass(5000)
  expect(reads()).toBe(2)
  leave()
})

test('a run whose screen was left is not read again, whatever the feed tells of it', async () => {
  const { given, details, pass, reads } = setUp()
  const leave = createRunWatch(given, 1).enter()
  await pass(100)
  leave()
  details.counts = counts(0, 1)
  await pass(700)
  await pass(5000)
  expect(reads()).toBe(1)
})
