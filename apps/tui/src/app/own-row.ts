import type { DOMElement } from 'ink'
import type { Area } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'

/** Rows of a terminal above and below what a screen draws. */
export const headRows = 1
const footRows = 3

/** The room between the header and the message line. */
export function areaOf({ columns, rows }: Area): Area {
  return { columns, rows: rows - headRows - footRows }
}

/** The boxes of the last frame. */
interface Boxes {
  readonly screen: DOMElement | null
  readonly overlay: DOMElement | null
}

const shown = new WeakMap<Ui, Boxes>()

/** Called with every frame. */
export function keepBoxes(ui: Ui, boxes: Boxes): void {
  shown.set(ui, boxes)
}

/** Which row of its own the screen, or what lies over it, shows in a row of the terminal; null if it is none of its. */
export function ownRow(ui: Ui, row: number): number | null {
  const box = shown.get(ui)?.[ui.overlay ? 'overlay' : 'screen']
  if (!box) return null
  let own = row
  for (let node: DOMElement | undefined = box; node; node = node.parentNode) own -= node.yogaNode?.getComputedTop() ?? 0
  const height = ui.overlay ? (box.yogaNode?.getComputedHeight() ?? 0) : areaOf(ui.terminal).rows
  return own >= 0 && own < height ? own : null
}
