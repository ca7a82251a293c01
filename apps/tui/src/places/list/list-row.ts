import { type AnyRow, fieldOf, fieldValue, type Resource, titleOf } from '@qd/core/define'
import { nounOf } from '@qd/core/i18n'
import { presentCell, type RowStatus, type Surface } from '@qd/core/view'
import { cutMiddle, widthOf } from '../../base/output/width.ts'
import { drawCell } from '../../screen/fields/cells.ts'
import { stateSpan, wordRole } from '../../screen/fields/marks.ts'
import { blank, cutLine, fitLine, type Line, lineWidth, span, withRoles } from '../../screen/terminal/line.ts'
import type { ScreenStyle } from '../../screen/terminal/screen-style.ts'
import { gutterCells, type LaidColumn } from './list-columns.ts'

export interface RowRequest {
  readonly style: ScreenStyle
  readonly surface: Surface
  readonly resource: Resource
  readonly row: AnyRow
  readonly status: RowStatus | null
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly focused: boolean
  readonly marked: boolean
  readonly compact: boolean
}

export function rowLine(request: RowRequest): Line {
  const { columns, status, width, focused, marked } = request
  const state = status ? stateSpan(status.option, status.tone) : blank(1)
  const gutter = [span(focused ? '▌' : ' ', 'accent'), span(marked ? '✓' : ' ', 'accent'), state, blank(1)]
  const absent = status?.absence ? columns.filter(({ column }) => column.live) : []
  const cells = columns.flatMap((laid) => {
    if (absent.includes(laid)) return laid === absent[0] ? absenceCell(status!, absent) : []
    return [...cellOf(request, laid), blank(laid.gap)]
  })
  const line = fitLine([...gutter, ...cells], width)
  if (focused) return withRoles(line, 'focus')
  return marked ? withRoles(line, 'marked') : line
}

function cellOf(request: RowRequest, { column, cells, bar }: LaidColumn): Line {
  const { style, surface, resource, row, status, columns, focused, marked, compact } = request
  const field = fieldOf(resource, column.field)
  if (column.field === resource.title) {
    const roles = focused || marked ? (['bold'] as const) : []
    const name = span(cutMiddle(titleOf(resource, row), cells, '…'), ...roles)
    // Without shapes, the state's word follows the name.
    const isSaid = columns.some((other) => other.column.field === resource.state?.field)
    const word = style.ascii && status && !isSaid ? [span(` ${status.word}`, 'muted')] : []
    return fitLine(lineWidth([name, ...word]) <= cells ? [name, ...word] : [name], cells)
  }
  const shown = presentCell(surface, { resource, row, field: column.field })
  const value = fieldValue(resource, row, column.field, surface.view)
  if (compact && column.kind === 'percent' && typeof value === 'number') {
    const label = nounOf(surface.translator.say(column.short), surface.translator.language)
    return fitLine([span(`${label} `, 'muted'), span(shown.text.padStart(2), wordRole[shown.tone])], cells)
  }
  const cell = drawCell({ field, value, shown, colored: style.colored, bar })
  const isStated = field.kind === 'choice' && column.field === resource.state?.field
  if (isStated) return fitLine([span(shown.text, shown.tone === 'bad' ? 'bad' : 'muted')], cells)
  const toned = field.kind === 'refs' ? withRoles(cell, 'muted') : cell
  return fitLine(toned, cells, column.numeric ? 'right' : 'left')
}

function absenceCell({ absence, tone }: RowStatus, columns: readonly LaidColumn[]): Line {
  const width = columns.reduce((sum, { cells, gap }) => sum + cells + gap, 0)
  const [first = '', ...rest] = absence!.split(/(?<=\S)(?=[\s.,])/)
  const sentence = [span(first, tone === 'bad' ? 'bad' : 'muted'), span(rest.join(''), 'muted')]
  return fitLine([blank(1), ...cutLine(sentence, width - 2)], width)
}

export function longestTitle(resource: Resource, rows: readonly AnyRow[]): number {
  return rows.reduce((longest, row) => Math.max(longest, widthOf(titleOf(resource, row))), gutterCells)
}
