import type { Tone } from '@qd/core/define'
import type { Style } from './style.ts'
import { cutMiddle, cutStart, cutTo, padTo, wholeName, widthOf } from './width.ts'

/** Left-aligned and cut at its end, if nothing else is said. `keep`: never dropped, however narrow the terminal is. */
export interface TableColumn {
  head?: string
  align?: 'left' | 'right'
  keep?: boolean
  cut?: keyof typeof cuts
}

export type TableCell = string | { readonly text: string; readonly tone: Tone }

const textOf = (cell: TableCell) => (typeof cell === 'string' ? cell : cell.text)
const toneOf = (cell: TableCell) => (typeof cell === 'string' ? 'plain' : cell.tone)

const cuts = { start: cutStart, middle: cutMiddle, end: cutTo } as const

const widestCell = 40
const leastCut = 6
const gap = '  '

/**
 * Numbers right-aligned, two blanks between columns. With a `width` in cells, drops columns from the right until it
 * fits and cuts long texts; without one, prints everything.
 */
export function renderTable(table: {
  columns: readonly TableColumn[]
  rows: readonly (readonly TableCell[])[]
  width?: number | null
  header?: boolean
  style: Style
}): string[] {
  const { rows, width = null, header = true, style } = table
  const cut = (text: string, cells: number, { cut = 'end' }: TableColumn) =>
    cells === Number.POSITIVE_INFINITY ? text : cuts[cut](text, cells, style.mark('cut'))
  const all = table.columns.map((column, index) => {
    const limit = width === null || column.keep ? Number.POSITIVE_INFINITY : widestCell
    const { head = '', align = 'left' } = column
    const texts = rows.map((row) => cut(textOf(row[index]!), limit, column))
    return { ...column, head, align, index, texts, cells: Math.max(header ? widthOf(head) : 0, ...texts.map(widthOf)) }
  })
  const shown = width === null ? all : fitting(all, width)
  const line = (parts: readonly string[]) => parts.join(gap).trimEnd()
  const body = rows.map((row, at) =>
    line(
      shown.map((column) => {
        const { texts, cells, align, index } = column
        // The padding has no color, so that line ends can be trimmed.
        const padded = padTo(cut(texts[at]!, cells, column), cells, align)
        return padded.replace(/\S(.*\S)?/s, (text) => style.paint(toneOf(row[index]!), text))
      }),
    ),
  )
  const heads = shown.map(({ head, cells, align }) => padTo(head, cells, align))
  return header ? [style.paint('muted', line(heads)), ...body] : body
}

/**
 * Drops columns from the right while a name would be cut that fits this width, then cuts longer names, then the widest
 * columns, and names last.
 */
function fitting<T extends TableColumn & { cells: number }>(columns: readonly T[], width: number): T[] {
  const isName = ({ cut }: TableColumn) => cut === 'middle'
  const least = (column: T) => (isName(column) ? Math.min(column.cells, wholeName(width)) : column.cells)
  const total = (list: readonly T[]) =>
    list.reduce((sum, column) => sum + least(column), gap.length * (list.length - 1))
  let shown = [...columns]
  while (total(shown) > width) {
    const last = shown.findLastIndex(({ keep }) => !keep)
    if (last < 0) break
    shown = shown.filter((_, index) => index !== last)
  }
  let room = width - total(shown)
  const cells = new Map(shown.map((column) => [column, least(column)]))
  for (const names of [false, true]) {
    for (const column of shown.filter((one) => isName(one) === names).sort((a, b) => b.cells - a.cells)) {
      const now = cells.get(column)!
      const next = room < 0 ? Math.max(leastCut, now + room) : Math.min(column.cells, now + room)
      if (room < 0 && now <= leastCut) continue
      cells.set(column, next)
      room -= next - now
    }
  }
  return shown.map((column) => ({ ...column, cells: cells.get(column)! }))
}

/** Every text whole below its head. */
export function plainTable(heads: readonly string[], rows: readonly (readonly string[])[], style: Style): string[] {
  const columns = heads.map((head): TableColumn => ({ head, align: head === 'SIZE' ? 'right' : 'left' }))
  return renderTable({ columns, rows, style })
}

/** Labels and what they are about, which may have several lines. */
export function labeledLines(pairs: readonly (readonly [label: string, text: string])[], style: Style): string[] {
  const rows = pairs.flatMap(([label, text]) =>
    text.split('\n').map((line, index): TableCell[] => [{ text: index === 0 ? label : '', tone: 'muted' }, line]),
  )
  return renderTable({ columns: [{}, {}], rows, header: false, style })
}
