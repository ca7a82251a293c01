import { fieldOf, type Resource, type Show, textKey } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import type { Column } from '@qd/core/view'
import { cutTo, wholeName, widthOf } from '../../base/output/width.ts'
import { barCells, type CellRule, cellRules, shareCells } from '../../screen/fields/cells.ts'
import { blank, fitLine, type Line, span } from '../../screen/terminal/line.ts'

export interface LaidColumn {
  readonly column: Column
  readonly head: string
  readonly cells: number
  readonly gap: number
  /** Cells of a percentage's bar; 0 if names need the room. */
  readonly bar: number
}

export interface LayRequest {
  readonly resource: Resource
  readonly translator: Translator
  readonly width: number
  readonly ascii: boolean
  readonly compact: boolean
  readonly longestTitle: number
}

export const gutterCells = 4
const markCells = 2
/** State words up to this width are never cut. */
const wordCells = 23
/** Heads up to this width are never cut; the column is dropped instead. */
const wholeHead = 9
/** Names up to `wholeName` are never cut; wider if there is room. */
const titleCells = { min: 10, max: 40 }
const sacrifice = ['wide', 'normal', 'always'] as const

/** Dropped for a name, in this order, each from the right. */
const givesWay: readonly ((column: Column) => boolean)[] = [
  ({ kind }) => kind === 'rate',
  ({ kind }) => kind === 'address' || kind === 'trend',
  (column) => showOf(column) === 'wide',
  (column) => showOf(column) === 'normal',
  () => true,
]

/** Day bars are always shown. */
function showOf({ kind, show }: Column): Show {
  return kind === 'days' && show === 'wide' ? 'normal' : show
}

/** Selects and sizes columns, title first; the rest goes to columns that can use it, from the left. */
export function layColumns(
  columns: readonly Column[],
  { resource, translator, width, ascii, compact, longestTitle }: LayRequest,
): LaidColumn[] {
  const gap = width >= 140 ? 2 : 1
  const room = width - gutterCells - 1
  const heads = new Map(columns.map((column) => [column, headOf(column, translator)]))
  const headCells = new Map([...heads].map(([column, head]) => [column, widthOf(head)]))
  const bounds = (column: Column): CellRule => {
    if (compact && column.kind === 'percent') {
      const cells = widthOf(translator.say(column.short)) + 4
      return { min: cells, max: cells }
    }
    if (column.kind === 'percent') return { min: shareCells + bar, max: shareCells + bar }
    const field = fieldOf(resource, column.field)
    if (field.kind === 'choice' && column.field !== resource.title) {
      const words = Object.keys(field.options).map((name) =>
        translator.say(textKey.option(resource.name, column.field, name)),
      )
      const cells = Math.max(...words.map(widthOf)) + (field.tones ? markCells : 0)
      return { min: Math.min(cells, wordCells), max: cells }
    }
    if (column.field !== resource.title) return cellRules[column.kind]
    return { min: titleCells.min, max: Math.max(titleCells.min, Math.min(titleCells.max, longestTitle + 1)) }
  }
  let bar = barCells.whole
  let titleMin = titleCells.min
  const minimum = (column: Column) =>
    Math.max(
      column.field === resource.title ? titleMin : bounds(column).min,
      compact && column.kind === 'percent' ? 0 : leastHead(column),
    )
  const leastHead = (column: Column) => {
    const cells = headCells.get(column)!
    return column.numeric || column.kind === 'flag' ? cells : Math.min(cells, wholeHead)
  }
  let kept = columns.filter(({ kind }) => !ascii || kind !== 'trend')
  const needed = () => kept.reduce((sum, column) => sum + minimum(column) + gap, 0)
  for (const show of sacrifice) {
    while (needed() > room) {
      const last = kept.findLastIndex((column) => showOf(column) === show && column.field !== resource.title)
      if (last < 0) break
      kept = kept.filter((_, index) => index !== last)
    }
  }
  titleMin = Math.max(titleCells.min, Math.min(wholeName(width), longestTitle))
  // Equal bars: a shorter one would look like a smaller value.
  while (needed() > room && bar > 0) bar = bar > barCells.least ? bar - 1 : 0
  for (const gives of givesWay) {
    for (const column of kept.toReversed().filter((one) => one.field !== resource.title && gives(one))) {
      if (needed() > room) kept = kept.filter((one) => one !== column)
    }
  }
  titleMin = Math.min(titleMin, Math.max(titleCells.min, titleMin - (needed() - room)))
  let spare = Math.max(0, room - needed())
  const widened = (cells: number, to: number) => {
    const more = Math.min(spare, Math.max(0, to - cells))
    spare -= more
    return cells + more
  }
  // Cells that mislead if cut, then heads, then the rest.
  const first = new Map(
    kept.map((column) => [
      column,
      bounds(column).whole ? widened(minimum(column), bounds(column).max) : minimum(column),
    ]),
  )
  for (const column of kept) first.set(column, widened(first.get(column)!, headCells.get(column)!))
  return kept
    .map((column) => ({ column, cells: widened(first.get(column)!, bounds(column).max) }))
    .map(({ column, cells }) => ({
      column,
      head: heads.get(column)!,
      cells: widened(cells, bounds(column).most ?? 0),
      gap,
      bar,
    }))
}

function headOf({ short, unit, order }: Column, { say, t, language }: Translator): string {
  const words = [say(short).toLocaleUpperCase(language), unit === 'ui.units.head.percent' ? t(unit) : '']
  const arrow = order === null ? '' : order === 'asc' ? '↑' : '↓'
  return [...words, arrow].filter(Boolean).join(' ')
}

export function headLine(columns: readonly LaidColumn[]): Line {
  return [
    blank(gutterCells),
    ...columns.flatMap(({ column, head, cells, gap, bar }) => [
      ...fitLine(
        [span(cutTo(head, cells, '…'), 'muted')],
        cells,
        column.numeric && (bar === 0 || column.kind !== 'percent') ? 'right' : 'left',
      ),
      blank(gap),
    ]),
  ]
}
