import { AppError } from '@qd/core/errors'
import { expect, test } from 'vitest'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import type { Loss } from '../../screen/state/workspace.ts'
import { lineText } from '../../screen/terminal/line.ts'
import { flashLines } from './frame.ts'

const said = (loss: Loss | null) => {
  const { ui } = createTestTasks(1)
  Object.assign(ui, { pending: null, flash: null, undo: null })
  Object.assign(ui.workspace, { loss: () => loss })
  return flashLines(ui, 80).map((line) => lineText(line).trim())
}

test('a lost connection says why and what to do, where a call learnt it', () => {
  const lost: Loss = { retryAt: 5, dataAt: 0, error: new AppError('firewall') }
  expect(said(lost)).toEqual(['This IP address is blocked · Wait a while, or ask an admin to unblock it'])
  expect(said({ ...lost, error: new AppError('unreachable', { status: 502, why: 'proxy' }) })).toEqual([
    'A proxy in front of the server returned 502. The server may be down or',
    'starting. · Check the address, and that the server is running',
  ])
  expect(said({ ...lost, error: null })).toEqual([''])
  expect(said(null)).toEqual([''])
})

test('what went wrong is read to its end, in up to three lines; other messages stay on one', () => {
  const { ui } = createTestTasks(1)
  const text =
    'Can’t reach http://127.0.0.1:18200 · Connection refused: nothing is listening there · Check the address, and that the server is running'
  const lines = (tone: 'bad' | 'ok', words = text) => {
    Object.assign(ui, { pending: null, undo: null, flash: { text: words, tone } })
    return flashLines(ui, 80).map((line) => lineText(line).trim())
  }
  expect(lines('bad').join(' ')).toBe(`✗ ${text}`)
  expect(lines('bad')).toHaveLength(2)
  expect(lines('ok')).toHaveLength(1)
  expect(lines('bad', `${text} `.repeat(9))).toHaveLength(3)
})
