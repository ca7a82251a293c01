import { expect, test } from 'vitest'
import { decideRollout, type RolloutPlan, type RolloutState } from './rollout.ts'

const plan: RolloutPlan = { canary: 2, batch: 3, soak: 0, max_failures: 1 }
const all: RolloutPlan = { canary: 0, batch: 0, soak: 0, max_failures: 0 }
type Counts = [number, number, number, number]

test.each<[string, RolloutPlan, RolloutState, Counts, number, RolloutState]>([
  ['the first canary alone', plan, 'going', [9, 0, 0, 0], 1, 'going'],
  ['nothing while the canary is out', plan, 'going', [8, 1, 0, 0], 0, 'going'],
  ['the second canary when the first succeeded', plan, 'going', [8, 0, 1, 0], 1, 'going'],
  ['a canary that fails stops it, whatever may fail later', plan, 'going', [7, 0, 1, 1], 0, 'stopped'],
  ['a canary that was not connected gives its turn to the next', plan, 'going', [7, 0, 0, 0], 1, 'going'],
  ['a batch after the canaries', plan, 'going', [7, 0, 2, 0], 3, 'going'],
  ['the next batch waits for the whole of this one', plan, 'going', [4, 1, 4, 0], 0, 'going'],
  ['as many failures as may be', plan, 'going', [4, 0, 4, 1], 3, 'going'],
  ['one failure too many, though some are still out', plan, 'going', [4, 1, 2, 2], 0, 'stopped'],
  ['a last batch that is smaller', plan, 'going', [2, 0, 6, 0], 2, 'going'],
  ['nothing left: nothing to stop', plan, 'going', [0, 0, 6, 3], 0, 'going'],
  ['paused sends nothing', plan, 'paused', [7, 0, 2, 0], 0, 'paused'],
  ['paused does not stop either', plan, 'paused', [7, 0, 2, 9], 0, 'paused'],
  ['stopped stays so', plan, 'stopped', [7, 0, 2, 0], 0, 'stopped'],
  ['no canary, no batches: all at once', all, 'going', [7, 0, 0, 0], 7, 'going'],
  ['more canaries than servers', { ...plan, canary: 99 }, 'going', [1, 0, 1, 0], 1, 'going'],
])('C-15 %s', (_name, what, state, [waiting, open, success, failed], send, next) => {
  expect(decideRollout(what, state, { waiting, open, success, failed, idleMs: open > 0 ? null : 0 })).toEqual({
    send,
    state: next,
  })
})

const soaking = { ...plan, soak: 300 }
test.each<[string, Counts, number | null, ReturnType<typeof decideRollout>]>([
  ['the first canary at once', [9, 0, 0, 0], null, { send: 1, state: 'going' }],
  ['the second canary too', [8, 0, 1, 0], 0, { send: 1, state: 'going' }],
  ['not the batch right after the canaries', [7, 0, 2, 0], 0, { send: 0, state: 'going', soakMs: 300_000 }],
  ['nor a moment before the time is over', [7, 0, 2, 0], 299_999, { send: 0, state: 'going', soakMs: 1 }],
  ['the batch after it', [7, 0, 2, 0], 300_000, { send: 3, state: 'going' }],
  ['nothing more where too many failed', [4, 0, 3, 2], 300_000, { send: 0, state: 'stopped' }],
])('issue 36.21 with a soak time: %s', (_name, [waiting, open, success, failed], idleMs, next) => {
  expect(decideRollout(soaking, 'going', { waiting, open, success, failed, idleMs })).toEqual(next)
})
