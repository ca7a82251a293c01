import type { DOMElement } from 'ink'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'

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

/** The room of the last frame. */
export function shownArea(ui: Ui): Area {
  return shown.get(ui)?.area ?? areaOf(ui.terminal)
}

/** Which row of its own the screen, or what lies over it, shows in a row of the terminal; null if it is none of its. */
export function ownRow(ui: Ui, row: number): number | null {
  const box = shown.get(ui)?.[ui.overlay ? 'overlay' : 'screen']
  if (!box) return null
  let own = row
  for (let node: DOMElement | undefined = box; node; node = node.parentNode) own -= node.yogaNode?.getComputedTop() ?? 0
  const height = ui.overlay ? (box.yogaNode?.getComputedHeight() ?? 0) : shownArea(ui).rows
  return own >= 0 && own < height ? own : null
}
