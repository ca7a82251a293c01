import { cron } from '@qd/core/resources'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { type Area, obey } from '../../screen/state/screen.ts'
import { createDetailScreen } from './detail-screen.tsx'

let screen: Rendered
afterEach(() => screen.close())

/** The page of a task at that size. */
function open(size: Area, id = 1) {
  const { ui, change } = createTestTasks(1)
  const page = createDetailScreen(ui, cron, id)
  const shown = <page.View />
  const draw = () => screen.draw()
  screen = renderAt(shown, { ...size, ui })
  const run = (command: string) => {
    obey(page, { command, action: null } as never)
    draw()
  }
  return { run, change, draw }
}

test.each([40, 80, 120, 200])('T-21 a record at %i columns: its title, then what it says of itself', (columns) => {
  open({ columns, rows: 20 })
  const rows = screen.lines()
  expect(rows.every((row) => row.length <= columns)).toBe(true)
  expect(rows[0]).toMatch(/^─ task 1 #1 ─/)
  expect(rows.some((row) => /Schedule +0 0 3 \* \* \*/.test(row))).toBe(true)
})

test('it scrolls no further than its last row, and back', () => {
  const { run } = open({ columns: 40, rows: 5 })
  const first = screen.lines()
  run('next')
  expect(screen.lines().slice(0, 4)).toEqual(first.slice(1))
  run('last')
  const last = screen.lines()
  run('next')
  expect(screen.lines()).toEqual(last)
  run('first')
  expect(screen.lines()).toEqual(first)
})

test('what changes is drawn anew; a record that is gone says so', () => {
  const { change, draw } = open({ columns: 80, rows: 20 })
  change(1, { name: 'renamed' })
  draw()
  expect(screen.lines()[0]).toMatch(/^─ renamed #1 ─/)
  screen.close()
  open({ columns: 80, rows: 20 }, 7)
  expect(screen.lines()).toEqual(['', '    This record no longer exists.'])
})
