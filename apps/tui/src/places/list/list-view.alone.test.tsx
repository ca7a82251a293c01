import { cron } from '@qd/core/resources'
import { afterEach, expect, test, vi } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { countText } from './list-notes.ts'
import { rowLine } from './list-row.ts'
import { createListScreen, type ListScreen } from './list-screen.tsx'

vi.mock('./list-row.ts', { spy: true })

let screen: Rendered
afterEach(() => screen.close())

/** A list of tasks at that size, whose records tell when somebody looks at them. */
function open(size: { columns: number; rows: number }, columns?: readonly string[]) {
  const { ui, looked, change, pass, fail } = createTestTasks(30, columns)
  const list: ListScreen = createListScreen(ui, cron)
  const shown = <list.View />
  const draw = () => screen.draw()
  const run = (command: string) => {
    list.command?.({ command, action: null } as never)
    looked.length = 0
    draw()
  }
  screen = renderAt(shown, { ...size, ui })
  return { list, run, looked, change, pass, fail, draw }
}

test.each([
  [
    { columns: 40, rows: 12 },
    { head: false, tasks: 11, pane: false },
  ],
  [
    { columns: 80, rows: 20 },
    { head: true, tasks: 18, pane: false },
  ],
  [
    { columns: 120, rows: 32 },
    { head: true, tasks: 21, pane: true },
  ],
  [
    { columns: 200, rows: 46 },
    { head: true, tasks: 30, pane: true },
  ],
])('T-04 a list at %o', (size, { head, tasks, pane }) => {
  open(size)
  const rows = screen.lines()
  expect(rows.every((row) => row.length <= size.columns)).toBe(true)
  expect(rows.some((row) => /NAME .*SCHEDULE/.test(row))).toBe(head)
  expect(rows.filter((row) => /^.{4}task \d/.test(row))).toHaveLength(tasks)
  expect(rows.some((row) => row.startsWith('─ task 1 #1 ─'))).toBe(pane)
  expect(rows.filter((row) => row.startsWith('▌'))).toEqual([expect.stringContaining('task 1 ')])
})

test('issue 18: a key draws the two rows that it changed, and the pane follows a frame later', async () => {
  const { run, looked } = open({ columns: 120, rows: 32 })
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 2 ')
  expect([...new Set(looked)].sort()).toEqual([1, 2])
  await expect.poll(() => screen.lines().find((row) => row.startsWith('─ task'))).toContain('task 2 #2')
})

test('a number before G goes to that row; beyond the end it is the last', () => {
  const { run, list, draw } = open({ columns: 80, rows: 20 })
  for (const [number, task] of [
    [10, 'task 10 '],
    [99_999, 'task 30 '],
    [1, 'task 1 '],
  ] as const) {
    list.goToRow!(number)
    draw()
    expect(screen.lines().find((row) => row.startsWith('▌'))).toContain(task)
  }
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 2 ')
})

test('a mark is counted and drawn in its row; a record that changed is drawn anew', () => {
  const { run, change, draw } = open({ columns: 80, rows: 20 })
  run('mark')
  expect(screen.lines().filter((row) => row.includes('✓'))).toEqual([expect.stringMatching(/^ ✓.*task 1 /)])
  expect(screen.lines()[0]).toContain('1 selected')
  change(3, { name: 'renamed' })
  draw()
  expect(screen.lines().find((row) => row.includes('renamed'))).toContain('never ran')
})

test('rows that are kept after a failure say why nothing newer came', () => {
  const { fail, draw, pass } = open({ columns: 80, rows: 20 })
  pass(65_000)
  fail('forbidden')
  draw()
  expect(screen.lines()[0]).toMatch(/ You don’t have permission to do this {2}1 min 5 s old$/)
  expect(screen.lines().some((row) => row.includes('task 1 '))).toBe(true)
  fail(null)
  draw()
  expect(screen.lines()[0]).not.toContain('You don’t have permission')
})

test('Tab goes into the pane, whose title says so by its colour, and back', async () => {
  const { run, list } = open({ columns: 120, rows: 32 })
  run('pane')
  expect(list.hints()).toHaveProperty('Escape')
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 1 ')
  expect(list.escape?.()).toBe(true)
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 2 ')
})

test('issue 18: a row says what happened how long ago with each second, and its own values at once', () => {
  const { change, draw, pass } = open({ columns: 120, rows: 20 })
  change(3, { last_executed_at: '1970-01-01T00:00:00Z', last_run_id: 1, last_result: true }, 'quiet')
  pass(1000)
  draw()
  const third = () => screen.lines().find((row) => row.includes('task 3 '))
  expect(third()).toContain('00:00')
  pass(86_400_000)
  draw()
  expect(third()).toMatch(/Thu 00:00/)
})

test('issue 18: a second makes no row anew that says the same as before', () => {
  const { change, draw, pass } = open({ columns: 120, rows: 20 }, ['command'])
  vi.mocked(rowLine).mockClear()
  pass(1000)
  draw()
  expect(rowLine).not.toHaveBeenCalled()
  change(3, { command: 'other' }, 'quiet')
  pass(1000)
  draw()
  expect(vi.mocked(rowLine).mock.calls.map(([{ row }]) => row.id)).toEqual([3])
})

test('a filter leaves rows in the order of now: of what was renamed meanwhile, and of another order', () => {
  const { list, change, draw } = open({ columns: 80, rows: 20 })
  const named = () => screen.lines().flatMap((row) => /^.{4}((?:task|a) \d+) /.exec(row)?.[1] ?? [])
  list.setFilter('2')
  draw()
  expect(named()).toEqual(['task 2', 'task 12', ...[20, 21, 22, 23, 24, 25, 26, 27, 28, 29].map((id) => `task ${id}`)])
  change(22, { name: 'a 22' })
  change(21, { name: 'task 31' })
  draw()
  expect(named().slice(0, 4)).toEqual(['a 22', 'task 2', 'task 12', 'task 20'])
  list.command?.({ command: 'sort:name', action: null } as never)
  draw()
  expect(named().slice(0, 2)).toEqual(['task 31', 'task 29'])
})

test('counts of thousands read as all numbers do', () => {
  const { ui } = createTestTasks(1)
  expect(countText(ui, { matched: 10_000, total: 10_000 }, false)).toBe('10,000')
  expect(countText(ui, { matched: 9_999, total: 10_000 }, true)).toBe('9,999/10,000')
  expect(countText(ui, { matched: 9_999, total: 10_000 }, false)).toBe('9,999 of 10,000')
})
