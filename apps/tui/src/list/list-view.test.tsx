import { observable } from '@legendapp/state'
import type { AnyRow } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { cron } from '@qd/core/resources'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { BeatContext } from '../hooks/use-beat.ts'
import type { Ui } from '../state/ui.ts'
import { plainLook } from '../terminal/look.ts'
import { type Rendered, renderAt } from '../test-render.tsx'
import { createListScreen, type ListScreen } from './list-screen.tsx'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const count = 30
let screen: Rendered
afterEach(() => screen.close())

const taskOf = (id: number): AnyRow => ({
  id,
  name: `task ${id}`,
  task_type: 0,
  scheduler: '0 0 3 * * *',
  command: `backup ${id}`,
  servers: [],
  cover: 0,
  push_successful: false,
  notification_group_id: 0,
  last_executed_at: null,
  last_result: false,
  chosen_by: '',
})

/** A list of tasks at that size, whose records tell when somebody looks at them. */
function open(size: { columns: number; rows: number }) {
  const tasks = new Map(Array.from({ length: count }, (_, at) => [at + 1, taskOf(at + 1)]))
  const version$ = observable(1)
  const list$ = observable({ status: 'ready', loadedAt: 0, error: null, ids: [...tasks.keys()], total: null })
  const looked: number[] = []
  const records = {
    version$: () => version$,
    list$: () => list$,
    peekAll: () => [...tasks.values()],
    peek(_name: string, id: number) {
      looked.push(id)
      return tasks.get(id)
    },
  }
  const none: readonly AnyRow[] = []
  const view = {
    now: 0,
    all: () => none,
    find: () => undefined,
    title: () => null,
    referring: () => [],
    trend: () => [],
  }
  let beat = 0
  const ui = {
    look: plainLook,
    io: {
      now: () => 0,
      setTimer(run: () => void, ms: number) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    },
    changed: () => undefined,
    workspace: {
      ...{ translator, format, view, records },
      surface: () => ({ translator, format, view, viewer }),
      session: { viewer: () => viewer, supports: () => true },
      remembered: { read: () => null, write: () => undefined },
      savedLists: { list$: () => observable({ columns: null }) },
      live: { state$: observable({ feed: { status: 'off' }, heardAt: null }) },
      isOld: () => false,
      surroundings: () => ({ viewer, view, supports: () => true }),
      readOnly: false,
      settings: { url: 'http://localhost' },
    },
  } as unknown as Ui
  const list: ListScreen = createListScreen(ui, cron)
  const shown: ReactNode = list.view()
  const draw = () => screen.show(<BeatContext value={++beat}>{shown}</BeatContext>)
  const run = (command: string) => {
    list.command({ command, action: null } as never)
    looked.length = 0
    draw()
  }
  screen = renderAt(<BeatContext value={beat}>{shown}</BeatContext>, { ...size, ui })
  const change = (id: number, changes: object) => {
    Object.assign(tasks.get(id)!, changes)
    version$.set(version$.peek() + 1)
    draw()
  }
  return { list, run, looked, change }
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

test('a mark is counted and drawn in its row; a record that changed is drawn anew', () => {
  const { run, change } = open({ columns: 80, rows: 20 })
  run('mark')
  expect(screen.lines().filter((row) => row.includes('✓'))).toEqual([expect.stringMatching(/^ ✓.*task 1 /)])
  expect(screen.lines()[0]).toContain('1 marked')
  change(3, { name: 'renamed' })
  expect(screen.lines().find((row) => row.includes('renamed'))).toContain('never ran')
})

test('Tab goes into the pane, whose title says so by its colour, and back', async () => {
  const { run, list } = open({ columns: 120, rows: 32 })
  run('pane')
  expect(list.hints().map(({ chord }) => chord)).toContain('Escape')
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 1 ')
  expect(list.escape()).toBe(true)
  run('next')
  expect(screen.lines().find((row) => row.startsWith('▌'))).toContain('task 2 ')
})
