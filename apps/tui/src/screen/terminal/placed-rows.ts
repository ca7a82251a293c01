import type { DOMElement } from 'ink'
import { cutLine, type Line, lineWidth } from './line.ts'
import { paintLine, type Run, type ScreenStyle } from './screen-style.ts'

/**
 * The rows of a screen, of which Ink only lays out the boxes. Ink 6.8 makes an object of each cell of each frame and keeps every text that it
 * ever measured: at 200x50 a key would take it 60 ms, and a row of live values memory each second. So a row is an empty box for Ink.
 */
export type PlacedRows = ReturnType<typeof createPlacedRows>

const noRuns: readonly Run[] = []

export function createPlacedRows() {
  const placed = new Map<DOMElement, { line: Line; style: ScreenStyle; width: number; runs: readonly Run[] }>()
  return {
    /** Returns the function that takes the row out of the box. */
    put(box: DOMElement, line: Line, style: ScreenStyle) {
      placed.set(box, { line, style, width: lineWidth(line), runs: paintLine(style, line) })
      return () => void placed.delete(box)
    },
    /** The rows of a frame in their places, each cut to the columns, and only within the boxes that clip. The same array for one that didn’t change. */
    frame(columns: number): readonly (readonly Run[])[] {
      let [root] = placed.keys()
      if (!root) return []
      while (root.parentNode) root = root.parentNode
      const frame = Array.from({ length: root.yogaNode!.getComputedHeight() }, () => noRuns)
      const draw = (box: DOMElement, above: number, from: number, to: number) => {
        const top = above + box.yogaNode!.getComputedTop()
        const end = top + box.yogaNode!.getComputedHeight()
        const row = placed.get(box)
        if (row && top >= from && top < Math.min(to, end))
          frame[top] = row.width <= columns ? row.runs : paintLine(row.style, cutLine(row.line, columns))
        const clip =
          box.style.overflowY === 'hidden' ? ([Math.max(from, top), Math.min(to, end)] as const) : ([from, to] as const)
        for (const child of box.childNodes) if ('childNodes' in child) draw(child, top, ...clip)
      }
      draw(root, 0, 0, frame.length)
      return frame
    },
  }
}
