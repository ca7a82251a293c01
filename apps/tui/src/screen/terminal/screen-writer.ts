import { isCertain } from '../../base/output/width.ts'
import { type Cell, type CellLine, toCells } from './cells.ts'

export type ScreenWriter = ReturnType<typeof createScreenWriter>

export interface WriterTarget {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

const blankCell: Cell = { text: ' ', style: '' }
const emptyLine: CellLine = { cells: [], isUncertain: false }
/** Rewriting so many unchanged cells costs no more than a jump. */
const nearCells = 6

export function createScreenWriter(target: WriterTarget) {
  let shown: { text: string; line: CellLine }[] = []
  let size = ''
  return {
    forget() {
      size = ''
    },
    show(frame: string) {
      const { columns, rows } = target
      const isFresh = size !== `${columns}x${rows}`
      if (isFresh) shown = []
      size = `${columns}x${rows}`
      const texts = frame.split('\n').slice(0, rows)
      const next = Array.from({ length: rows }, (_, row) => {
        const text = texts[row] ?? ''
        const known = shown[row]
        return known?.text === text ? known : { text, line: cutCells(toCells(text), columns) }
      })
      const output = next.map((entry, row) => {
        if (!isFresh && entry === shown[row]) return ''
        return lineChange(isFresh ? null : (shown[row]?.line ?? emptyLine), entry.line, row)
      })
      shown = next
      const text = output.join('')
      if (text !== '') target.write(text)
    },
  }
}

function cutCells({ cells, isUncertain }: CellLine, columns: number): CellLine {
  return { cells: cells.length > columns ? cells.slice(0, columns) : cells, isUncertain }
}

function lineChange(before: CellLine | null, after: CellLine, row: number): string {
  const { cells } = after
  if (before === null || before.isUncertain || after.isUncertain) {
    const anchored = after.isUncertain ? anchors(cells, row) : runText(cells)
    return `${move(row, 0)}\u001b[K${anchored}`
  }
  let output = ''
  const length = Math.max(cells.length, before.cells.length)
  for (let column = 0; column < length; ) {
    if (sameCell(cells[column], before.cells[column])) {
      column += 1
      continue
    }
    const end = endOfChange(cells, before.cells, column, length)
    const changed = trimmed(cells.slice(column, end))
    const left = end - column - changed.length
    output += move(row, column) + runText(changed)
    if (left > 0) output += end >= length ? '\u001b[K' : ' '.repeat(left)
    column = end
  }
  return output
}

/** End of a change: several unchanged cells follow. */
function endOfChange(cells: readonly Cell[], before: readonly Cell[], from: number, length: number): number {
  let end = from + 1
  for (let column = end; column < length && column - end <= nearCells; column++) {
    if (!sameCell(cells[column], before[column])) end = column + 1
  }
  // Both halves of a wide character go together.
  while (end < cells.length && cells[end]?.text === '') end += 1
  return end
}

function sameCell(one: Cell = blankCell, other: Cell = blankCell): boolean {
  return one === other || (one.text === other.text && one.style === other.style)
}

function trimmed(cells: readonly Cell[]): readonly Cell[] {
  const last = cells.findLastIndex((cell) => !sameCell(cell, undefined))
  return cells.slice(0, last + 1)
}

function move(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`
}

function runText(cells: readonly Cell[]): string {
  let style = ''
  let text = ''
  for (const cell of cells) {
    if (cell.style !== style && cell.text !== '') {
      text += cell.style === '' ? '\u001b[m' : style === '' ? `\u001b[${cell.style}m` : `\u001b[0;${cell.style}m`
      style = cell.style
    }
    text += cell.text
  }
  return style === '' ? text : `${text}\u001b[m`
}

/** Positions every word after an uncertain character, so that columns stay aligned (behaviour T-16). */
function anchors(cells: readonly Cell[], row: number): string {
  let output = ''
  let start = 0
  // The empty second half of a wide character is uncertain too.
  const isFirm = ({ text }: Cell) => text !== '' && isCertain(text)
  for (let column = 1; column <= cells.length; column++) {
    const cell = cells[column]
    if (cell && !(isFirm(cell) && !isFirm(cells[column - 1]!))) continue
    output += `${start === 0 ? '' : move(row, start)}${runText(cells.slice(start, column))}`
    start = column
  }
  return output
}
