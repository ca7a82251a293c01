import { createElement } from 'react'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { createKeysSheet } from './keys-sheet.tsx'

let screen: Rendered
afterEach(() => screen.close())

test.each([40, 80, 200])('the sheet of keys says what a number before a key means, at %i columns', (columns) => {
  const { ui } = createTestTasks(1)
  screen = renderAt(createElement(createKeysSheet(ui).View), { columns, rows: 120, ui })
  const text = screen.lines().join(' ').replace(/ +/g, ' ')
  expect(text).toContain('5 j moves five rows down, 10 G goes to row 10')
})
