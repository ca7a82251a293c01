import { type DOMElement, measureElement } from 'ink'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'

/** The box of what is in front, as Ink has laid it out, and the area that it was given. */
interface Front {
  readonly box: DOMElement
  readonly area: Area
}

/** The row within a box; null outside. */
function rowIn(box: DOMElement, row: number): number | null {
  let own = row
  for (let at: DOMElement | undefined = box; at; at = at.parentNode) own -= at.yogaNode?.getComputedTop() ?? 0
  return own >= 0 && own < measureElement(box).height ? own : null
}

export const fronts = new WeakMap<Ui, Front>()

const doubleMs = 400
const wheelLines = 3

export function createPointer(ui: Ui, press: (event: KeyEvent) => void): (event: KeyEvent & { type: 'mouse' }) => void {
  let last = { at: 0, row: -1 }
  return ({ what, row, column }) => {
    const top = ui.overlay ?? ui.screen
    if (what !== 'press') {
      const by = what === 'down' ? wheelLines : -wheelLines
      if (top?.scroll) top.scroll(by)
      else for (let step = 0; step < wheelLines; step++) press({ type: 'key', chord: by > 0 ? 'ArrowDown' : 'ArrowUp' })
      return
    }
    const front = fronts.get(ui)
    const own = front && rowIn(front.box, row)
    if (own == null || !top?.click?.(own, column, front!.area)) return
    const isDouble = last.row === row && ui.io.now() - last.at <= doubleMs
    last = { at: isDouble ? 0 : ui.io.now(), row }
    if (isDouble) press({ type: 'key', chord: 'Enter' })
  }
}
