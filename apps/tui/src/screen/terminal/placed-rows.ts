import { cutLine, type Line, lineWidth } from './line.ts'
import { paintLine, type ScreenStyle } from './screen-style.ts'

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
export interface PlacedRows {
  /** Null if there are too many. */
  add(): PlacedRow | null
  /** The frame with rows instead of their marks. */
  expand(frame: string): string
}

/** Noncharacters, which Unicode keeps for use inside programs; `plainText` lets none of them through. */
const first = 0xfdd0
const count = 32
const marked = /([\ufdd0-\ufdef]{2})( *)(?=(.?))/g

export function createPlacedRows(): PlacedRows {
  const shown = new Map<string, { line: Line; style: ScreenStyle; width: number; text: string }>()
  /** Given to components that haven’t been committed. */
  const given = new Set<string>()
  const free = Array.from({ length: count * count }, (_, at) =>
    String.fromCharCode(first + Math.floor(at / count), first + (at % count)),
  )
  return {
    add() {
      const mark = free.pop()
      if (mark === undefined) return null
      given.add(mark)
      return {
        mark,
        set(line, style) {
          given.delete(mark)
          shown.set(mark, { line, style, width: lineWidth(line), text: paintLine(style, line) })
        },
        remove() {
          given.delete(mark)
          shown.delete(mark)
          free.push(mark)
        },
      }
    },
    expand(frame) {
      // Ink writes a frame when all its rows are set. The others are of components that React dropped.
      free.push(...given)
      given.clear()
      return frame.replace(marked, (_whole, mark: string, blanks: string, next: string) => {
        const row = shown.get(mark)
        if (!row) return ' '.repeat(mark.length) + blanks
        const room = mark.length + blanks.length
        if (next === '') return row.text
        return row.width > room
          ? paintLine(row.style, cutLine(row.line, room))
          : row.text + ' '.repeat(room - row.width)
      })
    },
  }
}
