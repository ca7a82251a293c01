import { isCertain, measured } from '../../base/output/width.ts'
import type { Run } from './screen-style.ts'

export type ScreenWriter = ReturnType<typeof createScreenWriter>

export interface WriterTarget {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

/** A row cell by cell; what a wide character covers besides its first cell is empty. */
interface CellLine {
  readonly texts: readonly string[]
  readonly codes: readonly string[]
  /** Terminals disagree on its width, so it is always written whole. */
  readonly isUncertain: boolean
}

const emptyLine: CellLine = { texts: [], codes: [], isUncertain: false }
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
        return known?.runs === runs ? known : { runs, line: toCells(runs, columns) }
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

const control = /[\u0000-\u001f\u007f-\u009f]/g

function toCells(runs: readonly Run[], columns: number): CellLine {
  const texts: string[] = []
  const cellCodes: string[] = []
  let isUncertain = false
  for (const { text, codes } of runs) {
    // Shown texts have none (`plainText`). If one came nevertheless, a terminal would obey it.
    const run = text.replace(control, '')
    // Each is one unit; an iterator would make an object for each.
    if (isCertain(run)) for (let at = 0; at < run.length; at++) texts.push(run[at]!)
    else {
      isUncertain = true
      for (const [text, width] of measured(run)) {
        if (width > 0) texts.push(text, ...Array<string>(width - 1).fill(''))
        else if (texts.length > 0) texts[texts.length - 1] += text
      }
    }
    while (cellCodes.length < texts.length) cellCodes.push(codes)
  }
  texts.length = Math.min(texts.length, columns)
  cellCodes.length = texts.length
  return { texts, codes: cellCodes, isUncertain }
}

function lineChange(before: CellLine | null, after: CellLine, row: number): string {
  const { length } = after.texts
  if (before === null || before.isUncertain || after.isUncertain) {
    const anchored = after.isUncertain ? anchors(after, row) : runText(after, 0, length)
    return `${move(row, 0)}\u001b[K${anchored}`
  }
  let output = ''
  const last = Math.max(length, before.texts.length)
  for (let column = 0; column < last; ) {
    if (isSameCell(after, before, column)) {
      column += 1
      continue
    }
    const end = endOfChange(after, before, column, last)
    let written = end
    while (written > column && isSameCell(after, emptyLine, written - 1)) written -= 1
    output += move(row, column) + runText(after, column, written)
    if (written < end) output += end >= last ? '\u001b[K' : ' '.repeat(end - written)
    column = end
  }
  return output
}

/** End of a change: several unchanged cells follow. */
function endOfChange(after: CellLine, before: CellLine, from: number, last: number): number {
  let end = from + 1
  for (let column = end; column < last && column - end <= nearCells; column++) {
    if (!isSameCell(after, before, column)) end = column + 1
  }
  // Both halves of a wide character go together.
  while (after.texts[end] === '') end += 1
  return end
}

function isSameCell(one: CellLine, other: CellLine, at: number): boolean {
  return (one.texts[at] ?? ' ') === (other.texts[at] ?? ' ') && (one.codes[at] ?? '') === (other.codes[at] ?? '')
}

function move(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`
}

function runText(line: CellLine, from: number, to: number): string {
  let codes = ''
  let output = ''
  for (let at = from; at < to; at++) {
    const [text = ' ', own = ''] = [line.texts[at], line.codes[at]]
    if (own !== codes && text !== '') {
      output += own === '' ? '\u001b[m' : codes === '' ? `\u001b[${own}m` : `\u001b[0;${own}m`
      codes = own
    }
    output += text
  }
  return codes === '' ? output : `${output}\u001b[m`
}

/** Positions every word after an uncertain character, so that columns stay aligned (behaviour T-16). */
function anchors(line: CellLine, row: number): string {
  const { texts } = line
  let output = ''
  let start = 0
  // The empty second half of a wide character is uncertain too.
  const isFirm = (text = '') => text !== '' && isCertain(text)
  for (let column = 1; column <= texts.length; column++) {
    if (column < texts.length && !(isFirm(texts[column]) && !isFirm(texts[column - 1]))) continue
    output += `${start === 0 ? '' : move(row, start)}${runText(line, start, column)}`
    start = column
  }
  return output
}
