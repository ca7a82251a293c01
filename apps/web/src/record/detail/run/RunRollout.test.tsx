import { run } from '@qd/core/resources'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '../../../base/state/stores.ts'
import { showLanguage } from '../../../base/state/texts.ts'
import { RunRollout } from './RunResults.tsx'

beforeEach(async () => {
  await showLanguage('en-US')
  act(() =>
    session.state$.assign({
      status: 'signedIn',
      profile: { id: 1, username: 'admin', role: 0 },
      capabilities: ['runs', 'rollout'],
    }),
  )
})
afterEach(() => {
  cleanup()
  act(() => session.state$.assign({ status: 'guest', profile: null }))
})

const counts = { waiting: 14, sent: 1, running: 0, success: 10, failure: 0, no_answer: 0 }
const row = (state: string | null, now = counts) =>
  run.read.parse({
    id: 7,
    kind: 'update',
    name: 'update',
    counts: now,
    rollout: state && { canary: 1, batch: 10, max_failures: 2, state },
  })
const shown = () => screen.queryAllByRole('button').map((button) => button.textContent)

test('C-15: a rollout that goes on can be held or stopped, and says which batch it is at', () => {
  render(<RunRollout row={row('going')} />)
  expect(screen.getByRole('status').textContent).toBe('Batch 2 of 4')
  expect(screen.getByText('Canary servers 1 · Batch size 10 · Maximum failures 2')).toBeTruthy()
  expect(shown()).toEqual(['Pause rollout', 'Stop'])
})

test('C-15: a paused one goes on again', () => {
  render(<RunRollout row={row('paused')} />)
  expect(screen.getByRole('status').textContent).toContain('Paused. Nothing more is being sent.')
  expect(shown()).toEqual(['Resume rollout', 'Stop'])
})

test('what has ended has no buttons, and a run to all at once no bar', () => {
  const { unmount } = render(<RunRollout row={row('stopped', { ...counts, waiting: 0, no_answer: 14 })} />)
  expect(shown()).toEqual([])
  unmount()
  const { container, rerender } = render(<RunRollout row={row(null)} />)
  expect(container.textContent).toBe('')
  rerender(<RunRollout row={row('going', { ...counts, waiting: 0, sent: 0, success: 25 })} />)
  expect(container.textContent).toBe('')
})
