import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { ownRow, shownArea } from './own-row.ts'

/** Two presses on one place within this time are a double click. */
const doubleMs = 400
/** Lines that a turn of the wheel moves. */
const wheelLines = 3

/** What the mouse does: a press gives the focus, a second one opens, the wheel scrolls (behaviour T-28). `press` takes a key. */
export function createPointer(ui: Ui, press: (event: KeyEvent) => void): (event: KeyEvent & { type: 'mouse' }) => void {
  let last = { at: 0, row: -1 }
  return ({ what, row, column }) => {
    const top = ui.overlay ?? ui.screen
    if (what !== 'press') {
      const by = what === 'down' ? wheelLines : -wheelLines
      if (top?.scroll) top.scroll(by)
      else for (let step = 0; step < wheelLines; step++) press({ type: 'key', chord: by > 0 ? 'ArrowDown' : 'ArrowUp' })
      return ui.changed()
    }
    const own = ownRow(ui, row)
    if (own === null || !top?.click?.(own, column, shownArea(ui))) return
    const isDouble = last.row === row && ui.io.now() - last.at <= doubleMs
    last = { at: isDouble ? 0 : ui.io.now(), row }
    if (isDouble) press({ type: 'key', chord: 'Enter' })
    ui.changed()
  }
}
