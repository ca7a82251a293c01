import type { DOMElement } from 'ink'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'

/** Rows of a terminal above and below what a screen draws. */
export const headRows = 1
const footRows = 3

/** The room between the header and the message, which is of so many lines. */
export function areaOf({ columns, rows }: Area, message = 1): Area {
  return { columns, rows: rows - headRows - footRows - (message - 1) }
}

/** The boxes of the last frame, and the room for them. */
interface Boxes {
  readonly screen: DOMElement | null
  readonly overlay: DOMElement | null
  readonly area: Area
}

const shown = new WeakMap<Ui, Boxes>()

/** Called with every frame. */
export function keepBoxes(ui: Ui, boxes: Boxes): void {
  shown.set(ui, boxes)
}

function shownArea(ui: Ui): Area {
  return shown.get(ui)?.area ?? areaOf(ui.terminal)
}

/** Which row of its own the screen, or what lies over it, shows in a row of the terminal; null if it is none of its. */
function hitTest(ui: Ui, row: number): number | null {
  const box = shown.get(ui)?.[ui.overlay ? 'overlay' : 'screen']
  if (!box) return null
  let own = row
  for (let node: DOMElement | undefined = box; node; node = node.parentNode) own -= node.yogaNode?.getComputedTop() ?? 0
  const height = ui.overlay ? (box.yogaNode?.getComputedHeight() ?? 0) : shownArea(ui).rows
  return own >= 0 && own < height ? own : null
}

/** Two presses on one place within this time are a double click. */
const doubleMs = 400
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
    const own = hitTest(ui, row)
    if (own === null || !top?.click?.(own, column, shownArea(ui))) return
    const isDouble = last.row === row && ui.io.now() - last.at <= doubleMs
    last = { at: isDouble ? 0 : ui.io.now(), row }
    if (isDouble) press({ type: 'key', chord: 'Enter' })
    ui.changed()
  }
}
