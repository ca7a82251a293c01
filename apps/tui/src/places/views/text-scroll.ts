import { observable } from '@legendapp/state'
import { plainText } from '@qd/core/fields'
import { hardWrap, wrapText } from '../../screen/terminal/line.ts'

const tailLength = 64 * 1024

/** Raw lines; control characters are removed when shown (behaviour T-17). */
export function outputLines(output: string): string[] {
  const text = output.slice(0, endOf(output)).replaceAll('\t', '    ')
  return text === '' ? [] : text.split(/\r\n?|\n/)
}

/** The first may be cut. */
export function lastLines(output: string, count: number): string[] {
  const end = endOf(output)
  return outputLines(output.slice(Math.max(0, end - tailLength), end))
    .slice(-count)
    .map(plainText)
}

function endOf(text: string): number {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return end
}

/** Longer lines are broken anywhere. */
const longLine = 4000
const rowsAtOnce = 12
const ascii = /^[\x20-\x7e]*$/

export interface TextRow {
  readonly text: string
  readonly line: number
}

export type TextScroll = ReturnType<typeof createTextScroll>

interface Piece extends TextRow {
  readonly isLong: boolean
}

export function createTextScroll(given: readonly string[], { isAtEnd: isFromEnd }: { isAtEnd: boolean }) {
  let lines = given
  let columns = 0
  let height = 1
  let pieces: readonly Piece[] | null = null
  let top = { piece: isFromEnd ? Number.POSITIVE_INFINITY : 0, row: 0 }
  let wrapped = new Map<number, readonly string[]>()
  const moves$ = observable(0)

  const count = () => pieces?.length ?? lines.length
  const pieceAt = (at: number): Piece => pieces?.[at] ?? { text: lines[at]!, line: at, isLong: false }
  const firstPiece = (line: number) => (pieces ? pieces.findIndex((one) => one.line === line) : line)
  const rowsOf = (at: number): readonly string[] => {
    const known = wrapped.get(at)
    if (known) return known
    const piece = pieceAt(at)
    const text = plainText(piece.text)
    const rows = piece.isLong ? hardWrap(text, columns) : wrapText(text, columns)
    if (wrapped.size > 4 * height + 100) wrapped = new Map()
    wrapped.set(at, rows)
    return rows
  }
  const moved = (from: typeof top, by: number): typeof top => {
    let { piece, row } = from
    if (piece >= count()) return from
    for (let left = Math.abs(by); left > 0; left--) {
      const [nextRow, nextPiece] = by > 0 ? [row + 1, piece + 1] : [row - 1, piece - 1]
      if (nextRow >= 0 && nextRow < rowsOf(piece).length) row = nextRow
      else if (nextPiece >= 0 && nextPiece < count()) {
        piece = nextPiece
        row = by > 0 ? 0 : rowsOf(piece).length - 1
      } else break
    }
    return { piece, row }
  }
  const goTo = (place: typeof top) => {
    top = place
    moves$.set(moves$.peek() + 1)
  }
  const lowest = () => {
    const piece = count() - 1
    return moved({ piece, row: rowsOf(piece).length - 1 }, 1 - height)
  }
  /** How the first row in sight lies to the lowest that it may be: above (negative), there, or below. */
  const belowLowest = () => {
    const end = lowest()
    return top.piece - end.piece || top.row - end.row
  }
  const isAtEnd = () => count() === 0 || belowLowest() >= 0
  const settle = () => {
    if (count() === 0) return
    if (belowLowest() > 0) top = lowest()
    top = { ...top, row: Math.min(top.row, rowsOf(top.piece).length - 1) }
  }
  return {
    grow(next: readonly string[]) {
      const line = top.piece < count() ? pieceAt(top.piece).line : null
      const within = line === null ? 0 : top.piece - firstPiece(line)
      lines = next
      pieces = columns > 0 ? piecesOf(lines, columns) : null
      wrapped = new Map()
      if (line !== null) top = { ...top, piece: firstPiece(line) + within }
    },
    isAtEnd,
    resize(cells: number, rows: number) {
      const staysAtEnd = isFromEnd && columns > 0 && (cells !== columns || rows !== height) && isAtEnd()
      height = Math.max(1, rows)
      if (cells !== columns) {
        const line = top.piece < count() ? pieceAt(top.piece).line : top.piece
        columns = Math.max(1, cells)
        wrapped = new Map()
        pieces = piecesOf(lines, columns)
        top = { piece: Number.isFinite(line) ? firstPiece(line) : line, row: 0 }
      }
      if (staysAtEnd && count() > 0) top = lowest()
      settle()
    },
    scroll(by: number) {
      if (count() === 0) return
      goTo(moved(top, by))
      settle()
    },
    first: () => goTo({ piece: 0, row: 0 }),
    last() {
      if (count() > 0) goTo(lowest())
    },
    /** As far up as the text below allows. */
    goTo(line: number) {
      goTo({ piece: firstPiece(line), row: 0 })
      settle()
    },
    line: () => (top.piece < count() ? pieceAt(top.piece).line : 0),
    rows() {
      moves$.get()
      const shown: TextRow[] = []
      for (let { piece, row } = top; piece < count() && shown.length < height; piece += 1, row = 0) {
        const { line } = pieceAt(piece)
        for (const text of rowsOf(piece).slice(row, row + height - shown.length)) shown.push({ text, line })
      }
      return shown
    },
  }
}

/** Splits very long lines; null if there are none. */
function piecesOf(lines: readonly string[], columns: number): Piece[] | null {
  if (lines.every((line) => line.length <= longLine)) return null
  return lines.flatMap((text, line): Piece[] => {
    if (text.length <= longLine) return [{ text, line, isLong: false }]
    // ASCII fills its rows; other text may leave the last one shorter.
    const size = rowsAtOnce * (ascii.test(text) ? columns : Math.ceil(columns / 2))
    const stretches = Math.ceil(text.length / size)
    return Array.from({ length: stretches }, (_, at) => ({
      text: text.slice(at * size, (at + 1) * size),
      line,
      isLong: true,
    }))
  })
}
