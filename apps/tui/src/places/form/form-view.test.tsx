import type { AnyRow } from '@qd/core/define'
import { createFormat, createTranslator, loadLanguage } from '@qd/core/i18n'
import { cron } from '@qd/core/resources'
import { createForm } from '@qd/core/view'
import { afterEach, expect, test } from 'vitest'
import { eventsOf } from '../../../../../tests/support/tui/keys.ts'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { type Area, takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createKeyDecoder } from '../../screen/terminal/keys.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createFormEditor } from './form-editor.ts'
import { FormView } from './form-layout.tsx'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const format = createFormat({ translator, timeZone: 'UTC' })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const none: readonly AnyRow[] = []
const view = { now: 0, all: () => none, find: () => undefined, title: () => null, referring: () => [], trend: () => [] }
let screen: Rendered
afterEach(() => screen.close())

/** The form of a new task at that size. */
function open(size: Area) {
  const ui = {
    style: plainStyle,
    workspace: { ...translator, translator, format, view, surface: () => ({ translator, format, view, viewer }) },
    say: () => undefined,
  } as unknown as Ui
  const model = createForm({
    resource: cron,
    mode: 'create',
    row: null,
    view,
    viewer,
    translator,
    supports: () => true,
  })
  const editor = createFormEditor(ui, model)
  const form = <FormView lay={(area) => editor.lay(area)} />
  screen = renderAt(form, { ...size, ui })
  const decoder = createKeyDecoder()
  const type = (bytes: string) => {
    for (const event of eventsOf(decoder, bytes)) {
      takeKey(editor, event)
      screen.draw()
    }
  }
  const focused = () => screen.lines().findIndex((row) => row.includes('▌'))
  return { editor, model, type, focused }
}

test.each([
  [
    { columns: 40, rows: 16 },
    { isBeside: false, hasLegend: false },
  ],
  [
    { columns: 80, rows: 20 },
    { isBeside: false, hasLegend: true },
  ],
  [
    { columns: 120, rows: 32 },
    { isBeside: true, hasLegend: true },
  ],
  [
    { columns: 200, rows: 46 },
    { isBeside: true, hasLegend: true },
  ],
])('T-09 a form at %o: fields, what they will do beside or below, all in its area', (size, { isBeside, hasLegend }) => {
  open(size)
  const rows = screen.lines()
  expect(rows).toHaveLength(size.rows)
  expect(rows.every((row) => row.length <= size.columns)).toBe(true)
  expect(rows.find((row) => row.includes('▌'))).toMatch(hasLegend ? /^ \S+ +▌ Name/ : /^ ▌ Name/)
  expect(rows[0]!.includes('┬')).toBe(isBeside)
  expect(rows.some((row) => row.startsWith(' = qd cron create'))).toBe(isBeside)
  const preview = rows.find((row) => row.includes('Next five runs'))
  expect(preview?.includes('│')).toBe(isBeside)
})

test('what is typed stands in its field and in the line of the CLI', () => {
  const { type, model } = open({ columns: 120, rows: 32 })
  type('nightly')
  expect(model.text('name')).toBe('nightly')
  expect(screen.lines().find((row) => row.includes('▌ Name'))).toContain('nightly')
  expect(screen.lines().at(-1)).toContain('--name nightly')
})

test('the field with the focus is in sight wherever it is, and a press on a row gives it to that field', () => {
  const { type, focused, editor } = open({ columns: 60, rows: 8 })
  for (let step = 0; step < 12; step++) {
    type('\t')
    expect(focused()).toBeGreaterThan(-1)
  }
  const row = screen.lines().findIndex((line) => /^ {3}\S/.test(line))
  expect(editor.click(row)).toBe(true)
  type('\u001b[C')
  expect(focused()).toBe(row)
})
