import { FailureReason, ItemState, messageOf, NoAnswerReason, reasonOf } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { evidenceOf } from './evidence.ts'

test.each([...Object.values(NoAnswerReason), ...Object.values(FailureReason)])(
  'issue 36.16 a part that ended by %s has a message',
  (reason) => {
    const state = Object.hasOwn(NoAnswerReason, reason) ? ItemState.noAnswer : ItemState.failure
    expect(messageOf({ state, reason, exit_code: null, output: '' })).not.toBe('')
  },
)

test('issue 36.16 an update that brought the same version says so; what goes on or went well says nothing', () => {
  const part = { versionBefore: '1.0', acceptedAt: null, isRestored: false }
  const outcome = evidenceOf.update.onReturn(part, { version: '1.0', now: 0 })!
  expect(outcome.reason).toBe('sameVersion')
  const ended = { ...outcome, exit_code: outcome.exitCode }
  expect([reasonOf(ended), messageOf(ended)]).toEqual([
    'sameVersion',
    'the agent is back with the version it had: 1.0 -> 1.0',
  ])
  expect(evidenceOf.update.onReturn(part, { version: '1.1', now: 0 })).toMatchObject({ state: 'success', reason: null })
  for (const state of [ItemState.waiting, ItemState.sent, ItemState.running, ItemState.success])
    expect(messageOf({ state, reason: null, exit_code: null, output: 'x' })).toBe('')
})
