import { setting } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { lineText } from '../../screen/terminal/line.ts'
import { createFormScreen } from './form-screen.tsx'

test('what a single record only says stands apart in the header: two values are not read as one word', () => {
  const { ui } = createTestTasks(0)
  const row = { id: 1, effective_time_zone: 'UTC', history_bytes: 14_575_206 }
  const { summary } = createFormScreen(ui, { resource: setting, mode: 'edit', row })
  expect(lineText(summary!(false))).toMatch(/^\S.* UTC {2}\S.* MiB$/)
})
