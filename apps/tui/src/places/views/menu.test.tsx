import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { afterEach, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createMenu } from './menu.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
let screen: Rendered
afterEach(() => screen.close())

/** A menu of what can be done with a server, and what came of its keys. */
function open(size: { columns: number; rows: number }) {
  const happened: string[] = []
  const ui = {
    workspace: { ...translator, translator },
    style: plainStyle,
    say: (text: string) => happened.push(`said: ${text}`),
    close: () => happened.push('closed'),
  } as unknown as Ui
  const item = (label: string) => ({ label, run: () => happened.push(label) })
  const menu = createMenu(ui, 'web-eu-1', [
    { ...item('Open a shell'), chord: 't' },
    { ...item('Upgrade the agent'), reason: 'It is offline' },
    { ...item('Rename'), detail: 'name and note', chosen: true },
    { ...item('Delete'), chord: 'D' },
  ])
  screen = renderAt(<menu.View />, { ...size, ui, onKey: (event) => takeKey(menu, event) })
  return { menu, happened }
}

test.each([
  [
    { columns: 24, rows: 6 },
    [
      '─ web-eu-1 ─────────────',
      '     Open a shell     t',
      '     Upgrade the agent',
      ' ▌ ✓ Rename',
      '     Delete           D',
    ],
  ],
  [
    { columns: 40, rows: 3 },
    [
      '─ web-eu-1 ─────────────────────────────',
      '     Upgrade the agent  It is offline',
      ' ▌ ✓ Rename             name and note',
    ],
  ],
  [{ columns: 36, rows: 2 }, ['─ web-eu-1 ─────────────────────────', ' ▌ ✓ Rename             name and no…']],
  [
    { columns: 60, rows: 20 },
    [
      '─ web-eu-1 ─────────────────────────────────────────────────',
      '     Open a shell                                         t',
      '     Upgrade the agent  It is offline',
      ' ▌ ✓ Rename             name and note',
      '     Delete                                               D',
    ],
  ],
])('T-05 at %o', (size, shown) => {
  open(size)
  expect(screen.lines().map((row) => row.trimEnd())).toEqual(shown)
})

test('the arrows go round, a key chooses at once, what is not possible says why', () => {
  const { happened, menu } = open({ columns: 60, rows: 20 })
  screen.type('j')
  expect(screen.lines()[4]).toContain('▌')
  expect(menu.spoken!()).toEqual(['Menu: web-eu-1', 'Choice 4 of 4: Delete'])
  screen.type('\u001b[B')
  expect(screen.lines()[1]).toContain('▌')
  screen.type('\u001b[B\r')
  expect(happened).toEqual(['said: It is offline'])
  screen.type('t')
  expect(happened.slice(1)).toEqual(['closed', 'Open a shell'])
})

test('a click gives the focus to the item in that row, which stays there for a second one', async () => {
  const area = { columns: 40, rows: 3 }
  const { menu } = open(area)
  expect(menu.click!(0, 0, area)).toBe(false)
  expect(menu.click!(1, 0, area)).toBe(true)
  await expect.poll(() => screen.lines()[1]).toContain('▌   Upgrade')
})
