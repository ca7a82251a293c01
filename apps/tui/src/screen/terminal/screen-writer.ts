import { isCertain, measured } from '../../base/output/width.ts'
import type { Run } from './screen-style.ts'

export type ScreenWriter = ReturnType<typeof createScreenWriter>

export interface WriterTarget {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

interface Cell {
  readonly text: string
  readonly codes: string
}

interface CellLine {
  readonly cells: readonly Cell[]
  /** Terminals disagree on its width, so it is always written whole. */
  readonly isUncertain: boolean
}

const blankCell: Cell = { text: ' ', codes: '' }
const emptyLine: CellLine = { cells: [], isUncertain: false }
const noRuns: readonly Run[] = []
/** Rewriting so many unchanged cells costs no more than a jump. */
const nearCells = 6

export function createScreenWriter(target: WriterTarget) {
  let shown: { runs: readonly Run[]; line: CellLine }[] = []
  let size = ''
  return {
    forget() {
      size = ''
    },
    /** Compares only rows that aren’t the same arrays as before. */
    show(frame: readonly (readonly Run[])[]) {
      const { columns, rows } = target
      const isFresh = size !== `${columns}x${rows}`
      if (isFresh) shown = []
      size = `${columns}x${rows}`
      const next = Array.from({ length: rows }, (_, row) => {
        const runs = frame[row] ?? noRuns
        const known = shown[row]
        return known?.runs === runs ? known : { runs, line: cutCells(toCells(runs), columns) }
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

/** Memoizes up to twice `most` texts; recently used ones stay. */
function memoize<T>(most: number, make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const made = old.get(text) ?? make(text)
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, made)
    return made
  }
}

const control = /[\u0000-\u001f\u007f-\u009f]/g
/** One shared object per cell. */
const cellsIn = memoize(400, (codes) => memoize(1000, (text): Cell => ({ text, codes })))

function toCells(runs: readonly Run[]): CellLine {
  const cells: Cell[] = []
  let isUncertain = false
  for (const { text, codes } of runs) {
    // Shown texts have none (`plainText`). If one came nevertheless, a terminal would obey it.
    const run = text.replace(control, '')
    const cellOf = cellsIn(codes)
    if (isCertain(run)) {
      for (const text of run) cells.push(cellOf(text))
      continue
    }
    isUncertain = true
    for (const [text, width] of measured(run)) {
      const last = cells.at(-1)
      if (width === 0) {
        if (last) cells[cells.length - 1] = { ...last, text: last.text + text }
        continue
      }
      cells.push(cellOf(text))
      for (let more = 1; more < width; more++) cells.push(cellOf(''))
    }
  }
  return { cells, isUncertain }
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
  return one === other || (one.text === other.text && one.codes === other.codes)
}

function trimmed(cells: readonly Cell[]): readonly Cell[] {
  const last = cells.findLastIndex((cell) => !sameCell(cell, undefined))
  return cells.slice(0, last + 1)
}

function move(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`
}

function runText(cells: readonly Cell[]): string {
  let codes = ''
  let text = ''
  for (const cell of cells) {
    if (cell.codes !== codes && cell.text !== '') {
      text += cell.codes === '' ? '\u001b[m' : codes === '' ? `\u001b[${cell.codes}m` : `\u001b[0;${cell.codes}m`
      codes = cell.codes
    }
    text += cell.text
  }
  return codes === '' ? text : `${text}\u001b[m`
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
