import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { ItemState, type RunItem } from '@qd/core/resources'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import type { Ui } from '../../screen/state/ui.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'
import { type RunShown, runLines } from './run-screen.tsx'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const ui = { style: plainStyle, workspace: { ...translator, translator, format, view: { now: 5000 } } } as unknown as Ui
let screen: Rendered
afterEach(() => screen.close())

const item = (changes: Partial<RunItem>): RunItem => ({
  server_id: 1,
  server_name: 'web-1',
  state: ItemState.success,
  exit_code: 0,
  duration_ms: 1200,
  started_at: null,
  output: 'one\ntwo\n',
  lines: 2,
  cut_bytes: 0,
  reason: null,
  message: '',
  ...changes,
})
const items = [
  item({
    server_id: 2,
    server_name: 'db-1',
    state: ItemState.failure,
    exit_code: 3,
    output: 'no space left\n',
    lines: 1,
  }),
  item({
    server_id: 3,
    server_name: 'web-2',
    state: ItemState.running,
    exit_code: null,
    duration_ms: null,
    started_at: new Date(2000).toISOString(),
    output: '',
  }),
  item({}),
]
const counts = { waiting: 0, sent: 0, running: 1, success: 7, failure: 1, no_answer: 0 }

function open(size: { columns: number; rows: number }, changes: Partial<RunShown> = {}) {
  const shown: RunShown = {
    ...{ counts, rollout: null, search: null, items, focused: items[0]!, longest: 5, folded: 0, paneRows: 5 },
    ...changes,
  }
  screen = renderAt(<LiveRows lines={(area) => runLines(ui, shown, area)} />, { ...size, ui })
  return screen.lines()
}

test.each([40, 80, 120, 200])(
  'a run at %i columns: how far it is, each server, and the output of the focused one',
  (columns) => {
    const rows = open({ columns, rows: 20 })
    expect(rows).toHaveLength(20)
    expect(rows.every((row) => row.length <= columns)).toBe(true)
    expect(rows[0]).toMatch(/^ ━+─+ +✓ 7 {2}✗ 1 {2}◐ 1 {2}9 *$/)
    expect(rows[1]).toMatch(/^ {2}SERVER +STATE/)
    expect(rows[2]).toMatch(/^▌ db-1 +✗ failure/)
    expect(rows[3]).toMatch(/^ {2}web-2 +◐ running/)
    expect(rows[15]).toMatch(/^─ db-1/)
    expect(rows[16]).toBe(' no space left')
    if (columns >= 80) {
      expect(rows[2]).toMatch(/ 3 +1\.2 s +no space left$/)
      expect(rows[3]).toMatch(/3 s/)
    }
  },
)

test('what is left out is counted, a filter stands above the servers, a run on its way says so', () => {
  const input = createTextInput('web')
  const rows = open({ columns: 80, rows: 20 }, { folded: 12, search: { input, filter: '', found: 3 } })
  expect(rows[1]).toMatch(/^ \/web▁ +3 *$/)
  expect(rows[6]).toMatch(/^ {2}… 12 /)
  screen.close()
  screen = renderAt(<LiveRows lines={(area) => runLines(ui, null, area)} />, { ui })
  expect(screen.lines()).toEqual(['', '    Loading…'])
})
