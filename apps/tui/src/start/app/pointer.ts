import { type DOMElement, measureElement } from 'ink'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'

export const headRows = 1
const footRows = 3

export function areaOf({ columns, rows }: Area, message = 1): Area {
  return { columns, rows: rows - headRows - footRows - (message - 1) }
}

/** What stands below the header: `above` is the screen with its lines of the program, of which so many are above it. */
interface Boxes {
  readonly above: DOMElement
  readonly overlay: DOMElement
  readonly lines: number
  readonly area: Area
}

const shown = new WeakMap<Ui, Boxes>()

export function keepBoxes(ui: Ui, boxes: Boxes): void {
  shown.set(ui, boxes)
}

function shownArea(ui: Ui): Area {
  return shown.get(ui)?.area ?? areaOf(ui.size)
}

/** The row within a screen or overlay; null outside. */
function hitTest(ui: Ui, row: number): number | null {
  const boxes = shown.get(ui)
  if (!boxes) return null
  const { above, overlay, lines, area } = boxes
  const own = row - headRows - (ui.overlay ? measureElement(above).height : lines)
  const height = ui.overlay ? measureElement(overlay).height : area.rows
  return own >= 0 && own < height ? own : null
}

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
    const own = hitTest(ui, row)
    if (own === null || !top?.click?.(own, column, shownArea(ui))) return
    const isDouble = last.row === row && ui.io.now() - last.at <= doubleMs
    last = { at: isDouble ? 0 : ui.io.now(), row }
    if (isDouble) press({ type: 'key', chord: 'Enter' })
  }
}
