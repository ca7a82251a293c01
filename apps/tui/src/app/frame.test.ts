import { AppError } from '@qd/core/errors'
import { expect, test } from 'vitest'
import type { Loss } from '../state/workspace.ts'
import { lineText } from '../terminal/line.ts'
import { createTestTasks } from '../test-tasks.ts'
import { flashLines } from './frame.ts'

const said = (loss: Loss | null) => {
  const { ui } = createTestTasks(1)
  Object.assign(ui, { pending: null, flash: null, undo: null })
  Object.assign(ui.workspace, { loss: () => loss })
  return flashLines(ui, 80).map((line) => lineText(line).trim())
}

test('a lost connection says why and what to do, where a call learnt it', () => {
  const lost: Loss = { retryAt: 5, dataAt: 0, error: new AppError('firewall') }
  expect(said(lost)).toEqual(['This address is blocked · Wait a while, or ask an admin to unblock it'])
  expect(said({ ...lost, error: new AppError('unreachable', { status: 502, why: 'proxy' }) })).toEqual([
    'A proxy in front of it answered 502, so it may be down or starting · Check the',
    'address and that the server runs',
  ])
  expect(said({ ...lost, error: null })).toEqual([''])
  expect(said(null)).toEqual([''])
})
