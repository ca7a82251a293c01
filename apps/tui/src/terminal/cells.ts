import { widthOf } from '../output/width.ts'

/** What one cell of the screen shows. A character of two cells is followed by a cell with empty text. */
export interface Cell {
  readonly text: string
  /** Parameters of its Select Graphic Rendition, in order, e.g. `38;5;210;1`; empty: plain. */
  readonly style: string
}

/** A painted line as cells. */
export interface CellLine {
  readonly cells: readonly Cell[]
  /** Terminals differ on the width of something in it, so it is always written as a whole. */
  readonly isUncertain: boolean
}

/** A character whose width every terminal knows: ASCII, Latin and the signs that our screens are drawn with. */
export const certain =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u231c-\u23e8\u2500-\u25fc\u2713\u2717]$/

const sgr = /\u001b\[([0-9;]*)m/y
/** Ends of one attribute, and which parameters they take back. Source: ECMA-48, as written by the ansi-tokenize of Ink. */
const ends: Readonly<Record<string, RegExp>> = {
  22: /^[12]$/,
  39: /^(38|3[0-7])/,
  49: /^(48|4[0-7])/,
}

/** Reads a painted line: text and colours only. */
export function toCells(painted: string): CellLine {
  const cells: Cell[] = []
  let active: string[] = []
  let isUncertain = false
  let at = 0
  while (at < painted.length) {
    sgr.lastIndex = at
    const code = sgr.exec(painted)
    if (code) {
      active = applied(active, code[1]!)
      at += code[0].length
      continue
    }
    const next = painted.indexOf('\u001b', at + 1)
    const end = next < 0 ? painted.length : next
    const style = active.join(';')
    for (const text of characters(painted.slice(at, end))) {
      const width = certain.test(text) ? 1 : widthOf(text)
      if (!certain.test(text)) isUncertain = true
      const last = cells.at(-1)
      if (width === 0) {
        if (last) cells[cells.length - 1] = { ...last, text: last.text + text }
        continue
      }
      cells.push({ text, style })
      for (let more = 1; more < width; more++) cells.push({ text: '', style })
    }
    at = end
  }
  return { cells, isUncertain }
}

let segmenter: Intl.Segmenter | undefined

function characters(text: string): Iterable<string> {
  if (/^[\x20-\x7e\u2190-\u2319\u231c-\u23e8\u2500-\u25fc]*$/.test(text)) return text
  segmenter ??= new Intl.Segmenter()
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function applied(active: readonly string[], parameters: string): string[] {
  if (parameters === '' || parameters === '0') return []
  const end = ends[parameters]
  if (end) return active.filter((code) => !end.test(code))
  return [...active, parameters]
}
