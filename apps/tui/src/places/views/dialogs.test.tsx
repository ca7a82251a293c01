import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { createElement } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { type Overlay, takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { line } from '../../screen/terminal/line.ts'
import { askCode } from './ask-line.tsx'
import { askQuestion } from './question.tsx'
import { showText } from './text-box.tsx'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
let screen: Rendered
afterEach(() => screen.close())

/** What lies over the screen, drawn at that size, and what came of its keys. */
function over(size: { columns: number; rows?: number }, open: (ui: Ui) => void) {
  let overlay: Overlay | undefined
  const happened: string[] = []
  const ui = {
    workspace: { ...translator, translator },
    say: (text: string) => happened.push(text),
    open: (one: Overlay) => {
      overlay = one
    },
    close: (one: Overlay) => one.closed?.(),
  } as unknown as Ui
  open(ui)
  screen = renderAt(createElement(overlay!.View), { ...size, ui, onKey: (event) => takeKey(overlay!, event) })
  return { overlay: overlay!, happened }
}
const shown = () => screen.lines().map((row) => row.trimEnd())

describe('a question', () => {
  const ask = (columns: number, rows = 20, words: string | null = null) => {
    const answers: boolean[] = []
    const opened = over({ columns, rows }, (ui) => {
      void askQuestion(ui, {
        title: 'Delete 2 servers',
        body: () => [line('web-eu-1'), line('web-eu-2'), line('They are gone at once.')],
        go: 'Delete',
        bad: true,
        words,
      }).then((answer) => answers.push(answer))
    })
    return { ...opened, answers }
  }

  test.each([
    [
      40,
      20,
      [
        ' ┌ Delete 2 servers ──────────────────┐',
        ' │ web-eu-1                           │',
        ' │ web-eu-2                           │',
        ' │ They are gone at once.             │',
        ' │                                    │',
        ' │   ▌[ Cancel ]     Delete           │',
        ' └────────────────────────────────────┘',
      ],
    ],
    [
      30,
      5,
      [
        ' ┌ Delete 2 servers ────────┐',
        ' │ They are gone at once.   │',
        ' │                          │',
        ' │   ▌[ Cancel ]     Delet… │',
        ' └──────────────────────────┘',
      ],
    ],
  ])('at %i x %i', (columns, rows, expected) => {
    ask(columns, rows)
    expect(shown()).toEqual(expected)
  })

  test.each([80, 121])('stands in the middle of %i columns', (columns) => {
    ask(columns)
    const left = Math.floor((columns - 56) / 2)
    expect(shown()[0]).toBe(`${' '.repeat(left)}┌ Delete 2 servers ${'─'.repeat(36)}┐`)
    expect(new Set(shown().map((row) => row.length))).toEqual(new Set([left + 56]))
  })

  test('goes on only by the button that says so', async () => {
    const { answers } = ask(40)
    screen.type('\t')
    expect(shown()[5]).toBe(' │      Cancel    ▌[ Delete ]         │')
    screen.type('\r')
    await expect.poll(() => answers).toEqual([true])
  })

  test('with words to type says what is missing until they stand there', async () => {
    const { answers, happened } = ask(60, 20, 'two')
    screen.type('\t\r')
    expect(happened).toHaveLength(1)
    expect(shown().join('\n')).not.toContain('[ Delete ]')
    screen.type('two')
    expect(shown().join('\n')).toContain('▌[ Delete ]')
    screen.type('\r')
    await expect.poll(() => answers).toEqual([true])
  })

  test('takes a click on either button', async () => {
    const { overlay } = ask(40)
    const area = { columns: 40, rows: 20 }
    expect(overlay.click!(4, 20, area)).toBe(false)
    expect(overlay.click!(5, 20, area)).toBe(true)
    await expect.poll(() => shown()[5]).toContain('▌[ Delete ]')
    expect(overlay.click!(5, 8, area)).toBe(true)
    await expect.poll(() => shown()[5]).toContain('▌[ Cancel ]')
  })
})

test('a text over the screen is scrolled within its room', () => {
  const text = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join('\n')
  over({ columns: 44, rows: 7 }, (ui) =>
    showText(ui, { title: 'Text', help: 'Keep it.', text, close: 'Done', isOnce: true }),
  )
  expect(
    shown()
      .slice(1, -1)
      .map((row) => row.slice(3, 12).trim()),
  ).toEqual(['Keep it.', '', 'line 1', 'line 2', 'line 3'])
  screen.type('\u001b[B\u001b[B')
  expect(shown()[3]).toContain('line 3')
})

test('a code that is typed comes back', async () => {
  const codes: (string | null)[] = []
  over({ columns: 50 }, (ui) => {
    void askCode(ui, { title: 'Sign in', address: 'https://example.org/a' }).then((code) => codes.push(code))
  })
  screen.type('\u001b[200~ 123-456 \u001b[201~')
  expect(shown().at(-2)).toContain('› 123-456▁')
  screen.type('\r')
  await expect.poll(() => codes).toEqual(['123-456'])
})
