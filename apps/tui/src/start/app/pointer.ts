import type { DOMElement } from 'ink'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'

export const headRows = 1
const footRows = 3

export function areaOf({ columns, rows }: Area, message = 1): Area {
  return { columns, rows: rows - headRows - footRows - (message - 1) }
}

interface Boxes {
  readonly screen: DOMElement | null
  readonly overlay: DOMElement | null
  readonly area: Area
}

const shown = new WeakMap<Ui, Boxes>()

export function keepBoxes(ui: Ui, boxes: Boxes): void {
  shown.set(ui, boxes)
}

function shownArea(ui: Ui): Area {
  return shown.get(ui)?.area ?? areaOf(ui.terminal)
}

/** The row within a screen or overlay; null outside. */
function hitTest(ui: Ui, row: number): number | null {
  const box = shown.get(ui)?.[ui.overlay ? 'overlay' : 'screen']
  if (!box) return null
  let own = row
  for (let node: DOMElement | undefined = box; node; node = node.parentNode) own -= node.yogaNode?.getComputedTop() ?? 0
  const height = ui.overlay ? (box.yogaNode?.getComputedHeight() ?? 0) : shownArea(ui).rows
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
