import { AppError } from '@qd/core/errors'
import { expect, test } from 'vitest'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createUi } from './ui.ts'
import type { Loss, Workspace } from './workspace.ts'

test('what was said while the server did not answer goes when the connection is back, and nothing else does', () => {
  const { ui: of } = createTestTasks(1)
  let loss: Loss | null = null
  const workspace = Object.assign(of.workspace as { loss?: () => Loss | null }, { loss: () => loss }) as Workspace
  const ui = createUi({
    ...{ io: of.io, style: of.style, terminal: { columns: 80, rows: 24 } as Terminal },
    ...{ workspace, makeWorkspace: () => workspace, places: () => of.places, onQuit: () => undefined },
  })
  ui.fail(new AppError('unreachable', { url: 'http://web' }))
  expect(ui.flash?.text).toMatch(/^Can’t reach http:\/\/web/)
  loss = { retryAt: 1, dataAt: null, error: null }
  expect(ui.flash?.text).toMatch(/^Can’t reach/)
  loss = null
  expect(ui.flash).toBeNull()

  ui.fail(new AppError('forbidden'))
  loss = { retryAt: 1, dataAt: null, error: null }
  expect(ui.flash?.text).toMatch(/^You don’t have permission/)
  loss = null
  expect(ui.flash?.text).toMatch(/^You don’t have permission/)
})
