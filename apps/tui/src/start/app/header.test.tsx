import { observable } from '@legendapp/state'
import { IncidentState } from '@qd/core/resources'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { createTestTasks } from '../../../../../tests/support/tui/tasks.ts'
import { Header } from './Header.tsx'

let screen: Rendered
afterEach(() => screen.close())

const headerAt = (columns: number, name: string, isDemo = false) => {
  const { ui } = createTestTasks(0)
  const place = { place: () => ['Runs', name, 'run 12'], count: () => '', summary: () => [] }
  Object.assign(ui, { working: false, screen: place })
  Object.assign(ui.workspace, { name: 'fleet.example.net' })
  Object.assign(ui.workspace.session, {
    state$: observable({ profile: { username: 'admin' } }),
    supports: (capability: string) => isDemo && capability === 'demo',
  })
  screen = renderAt(<Header />, { columns, rows: 1, ui })
  return screen.lines()[0]!
}

test.each([40, 60, 80, 120, 200])(
  'issue 18: at %i columns a long name gives way in its middle, the number of the run stays',
  (columns) => {
    const row = headerAt(columns, 'nightly-backup-of-everything-in-frankfur')
    expect(row.length).toBeLessThanOrEqual(columns)
    expect(row).toMatch(/^ qd {2}Runs › nigh.*fur › run 12( |$)/)
    screen.close()
    expect(headerAt(columns, '夜'.repeat(30))).toMatch(/^ qd {2}Runs › 夜.*夜 › run 12( |$)/)
  },
)

test('a name that fits stays whole, and what stands at the right keeps its distance', () => {
  expect(headerAt(120, 'nightly-backup-of-everything-in-frankfur')).toContain(
    'nightly-backup-of-everything-in-frankfur › run 12',
  )
  screen.close()
  expect(headerAt(80, 'nightly-backup-of-everything-in-frankfur-eu-central')).toMatch(/run 12 +\S*\d\d:\d\d:\d\d/)
})

test('a demo says so at every width', () => {
  for (const columns of [40, 80, 200]) {
    expect(headerAt(columns, 'nightly-backup-of-everything-in-frankfur', true)).toMatch(/^ qd Demo {2}Runs/)
    screen.close()
  }
  expect(headerAt(80, 'nightly')).not.toContain('Demo')
})

test('issue 36 after a session ended, the incidents that anyone sees are not shown as the user’s', () => {
  const { ui } = createTestTasks(0)
  const status$ = observable({ profile: { username: 'kim' }, status: 'signedIn' })
  Object.assign(ui, { working: false, screen: null })
  Object.assign(ui.workspace, { name: 'fleet.example.net' })
  Object.assign(ui.workspace.records, { peekAll: () => [{ id: 1, state: IncidentState.open }] })
  Object.assign(ui.workspace.session, { state$: status$ })
  screen = renderAt(<Header />, { columns: 120, rows: 1, ui })
  expect(screen.lines()[0]).toContain('1 incident')
  screen.close()
  status$.status.set('ended')
  screen = renderAt(<Header />, { columns: 120, rows: 1, ui })
  expect(screen.lines()[0]).not.toContain('incident')
})
