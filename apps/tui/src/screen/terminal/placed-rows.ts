import { cutLine, fitLine, type Line, lineWidth, span } from './line.ts'
import { paintLine, type Run, type ScreenStyle } from './screen-style.ts'

/** A row on the screen. Ink places its mark; the row stands there once `expand` has run. */
export interface PlacedRow {
  readonly mark: string
  set(line: Line, style: ScreenStyle): void
  remove(): void
}

/**
 * The rows of a screen, which Ink places without reading them. Ink 6.8 splits all characters of each frame anew and keeps every text that it
 * ever measured: a row of live values would cost it memory each second, and a key at 200x50 about 60 ms. So a row is two characters for Ink.
 */
export type PlacedRows = ReturnType<typeof createPlacedRows>

/** Of ASCII, which Ink measures at once: for others it compiles what knows all emoji, 80 ms of the first frame. */
const first = '@'.charCodeAt(0)
const count = 32
const isMark = /^[@-_]/
const piecesOf = /[@-_]{2} *| +|[^ @-_]+/g

/** `style`: of what Ink draws itself, the edges of boxes. */
export function createPlacedRows(style: () => ScreenStyle) {
  const shown = new Map<string, { line: Line; style: ScreenStyle; width: number; runs: readonly Run[] }>()
  /** Given to components that haven’t been committed. */
  const given = new Set<string>()
  const free = Array.from({ length: count * count }, (_, at) =>
    String.fromCharCode(first + Math.floor(at / count), first + (at % count)),
  )
  const expandRow = (row: string, columns: number): readonly Run[] => {
    const alone = shown.get(row)
    if (alone && alone.width <= columns) return alone.runs
    let column = 0
    return (row.match(piecesOf) ?? []).flatMap((piece) => {
      const placed = shown.get(piece.slice(0, 2))
      column += piece.length
      if (!placed && (piece[0] === ' ' || isMark.test(piece))) return { text: ' '.repeat(piece.length), codes: '' }
      if (!placed) return paintLine(style(), [span(piece, 'rule')])
      const isLast = column === row.length
      const cells = isLast ? columns - column + piece.length : piece.length
      return paintLine(placed.style, (isLast ? cutLine : fitLine)(placed.line, cells))
    })
  }
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
    /** The rows of a frame with those placed instead of their marks, each cut to the columns. The same array for one that didn’t change. */
    expand(frame: string, columns: number): readonly (readonly Run[])[] {
      // Ink writes a frame when all its rows are set. The others are of components that React dropped.
      free.push(...given)
      given.clear()
      return frame.split('\n').map((row) => expandRow(row, columns))
    },
  }
}
