import { observable } from '@legendapp/state'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { expect, test } from 'vitest'
import type { Ui } from '../../screen/state/ui.ts'
import { plainStyle } from '../../screen/terminal/screen-style.ts'
import { createSpeaker } from './speaker.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })

/** A page with some lines, a part of which is on its way. */
function page(lines: string[]) {
  const written: string[] = []
  let due: (() => void) | null = null
  const screen = { lines, isComing: true }
  const ui = {
    io: {
      setTimer(run: () => void) {
        due = run
        return () => {
          due = null
        }
      },
    },
    workspace: { ...translator, translator, loss: () => null, session: { state$: { status: { peek: () => 'in' } } } },
    style: plainStyle,
    overlay: null,
    flash: null,
    undo: null,
    screen: {
      count: () => '',
      place: () => ['Services', 'router'],
      hints: () => [],
      spoken: () => screen.lines,
      comes: () => screen.isComing,
    },
  } as unknown as Ui
  const speaker = createSpeaker(ui, {
    write: (text) => void written.push(text),
    ...{ beat$: observable(0), request: () => undefined },
  })
  const hear = () => {
    written.length = 0
    speaker.changed()
    due?.()
    return written.join('').split('\r\n').filter(Boolean)
  }
  return { screen, hear }
}

test('T-29 what a page waited for is said when it is there, alone and once; figures that change afterwards are not', () => {
  const { screen, hear } = page(['router, up'])
  expect(hear()).toContain('router, up')
  screen.lines = ['router, up', 'web-1, 100 % 12 ms']
  expect(hear()).toEqual(['web-1, 100 % 12 ms'])
  screen.lines = ['router, up', 'web-1, 100 % 12 ms', 'No incidents']
  screen.isComing = false
  expect(hear()).toEqual(['No incidents'])
  screen.lines = ['router, up', 'web-1, 100 % 13 ms', 'No incidents']
  expect(hear()).toEqual([])
})
