import { cutLine, type Line, lineWidth } from './line.ts'
import { paintLine, type Run, type ScreenStyle } from './screen-style.ts'

/** A row on the screen. Ink places its mark; the row stands there once `expand` has run. */
export interface PlacedRow {
  readonly mark: string
  set(line: Line, style: ScreenStyle): void
  remove(): void
}

/**
 * The rows of a screen, of which Ink only decides the order. Ink 6.8 makes an object of each cell of each frame and keeps every text that it
 * ever measured: at 200x50 a key would take it 60 ms, and a row of live values memory each second. So a row is two characters for Ink, and
 * its terminal as wide.
 */
export type PlacedRows = ReturnType<typeof createPlacedRows>

export const markCells = 2
/** Of ASCII, which Ink measures at once: for others it compiles what knows all emoji, 80 ms of the first frame. */
const first = '@'.charCodeAt(0)
const count = 32
const noRuns: readonly Run[] = []

export function createPlacedRows() {
  const shown = new Map<string, { line: Line; style: ScreenStyle; width: number; runs: readonly Run[] }>()
  /** Given to components that haven’t been committed. */
  const given = new Set<string>()
  const free = Array.from({ length: count * count }, (_, at) =>
    String.fromCharCode(first + Math.floor(at / count), first + (at % count)),
  )
  return {
    /** Null if there are too many. */
    add(): PlacedRow | null {
      const mark = free.pop()
      if (mark === undefined) return null
      given.add(mark)
      return {
        mark,
        set(line, style) {
          given.delete(mark)
          shown.set(mark, { line, style, width: lineWidth(line), runs: paintLine(style, line) })
        },
        remove() {
          given.delete(mark)
          shown.delete(mark)
          free.push(mark)
        },
      }
    },
    /** The rows of a frame instead of their marks, each cut to the columns. The same array for one that didn’t change. */
    expand(frame: string, columns: number): readonly (readonly Run[])[] {
      // Ink writes a frame when all its rows are set. The others are of components that React dropped.
      free.push(...given)
      given.clear()
      return frame.split('\n').map((mark) => {
        const row = shown.get(mark)
        if (!row) return noRuns
        return row.width <= columns ? row.runs : paintLine(row.style, cutLine(row.line, columns))
      })
    },
  }
}
