import type { Tone } from '@qd/core/define'
import type { Style } from './style.ts'
import { cutMiddle, cutStart, cutTo, padTo, widthOf } from './width.ts'

/** A column: `keep` is never left out, however narrow the terminal is. */
export interface TableColumn {
  head: string
  align: 'left' | 'right'
  keep: boolean
  /** Where a text that is too long loses signs. Default: at its end. */
  cut?: 'start' | 'middle' | 'end'
}

/** A value as it is printed, already escaped. */
export interface TableCell {
  text: string
  tone: Tone
}

const cuts = { start: cutStart, middle: cutMiddle, end: cutTo } as const

/** Cells a text column may take on a terminal before it is cut, unless it is kept. */
const widestCell = 40
const gap = '  '

/**
 * Lines of a table: numbers right, two blanks between columns, no rules. With a `width` in cells columns are left out from
 * the right until it fits and long texts are cut; with null everything is printed in full.
 */
export function renderTable(table: {
  columns: readonly TableColumn[]
  rows: readonly (readonly TableCell[])[]
  width: number | null
  header: boolean
  style: Style
}): string[] {
  const { rows, width, header, style } = table
  const limit = ({ keep }: TableColumn) => (width === null || keep ? Number.POSITIVE_INFINITY : widestCell)
  const cut = (text: string, cells: number, where: TableColumn['cut'] = 'end') =>
    cells === Number.POSITIVE_INFINITY ? text : cuts[where](text, cells, style.mark('cut'))
  const all = table.columns.map((column, index) => {
    const texts = rows.map((row) => cut(row[index]!.text, limit(column), column.cut))
    return { ...column, index, texts, cells: Math.max(header ? widthOf(column.head) : 0, ...texts.map(widthOf)) }
  })
  const shown = width === null ? all : fitting(all, width)
  const line = (parts: readonly string[]) => parts.join(gap).trimEnd()
  const heads = shown.map(({ head, cells, align }) => padTo(head, cells, align))
  const body = rows.map((row, at) =>
    line(
      shown.map((column) =>
        paintPadded(
          style,
          row[column.index]!.tone,
          padTo(cut(column.texts[at]!, column.cells, column.cut), column.cells, column.align),
        ),
      ),
    ),
  )
  return header ? [style.paint('muted', line(heads)), ...body] : body
}

/** The columns that fit: left out from the right, then the widest kept one is cut. */
function fitting<T extends TableColumn & { cells: number }>(columns: readonly T[], width: number): T[] {
  const total = (list: readonly T[]) => list.reduce((sum, { cells }) => sum + cells, gap.length * (list.length - 1))
  let shown = [...columns]
  while (total(shown) > width) {
    const last = shown.findLastIndex(({ keep }) => !keep)
    if (last < 0) break
    shown = shown.filter((_, index) => index !== last)
  }
  const over = total(shown) - width
  if (over <= 0) return shown
  const widest = shown.reduce((a, b) => (b.cells > a.cells ? b : a))
  return shown.map((column) => (column === widest ? { ...column, cells: Math.max(1, column.cells - over) } : column))
}

/** Colours the text and not the blanks around it, so that a coloured end of a line can be trimmed. */
function paintPadded(style: Style, tone: Tone, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return text
  const [before = '', after = ''] = [
    text.slice(0, text.indexOf(trimmed)),
    text.slice(text.indexOf(trimmed) + trimmed.length),
  ]
  return before + style.paint(tone, trimmed) + after
}
