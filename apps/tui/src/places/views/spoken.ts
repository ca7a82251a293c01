import { type AnyRow, factFields, fieldKey, fieldOf, fieldValue, type Resource, titleOf } from '@qd/core/define'
import type { RunItem } from '@qd/core/resources'
import { itemTexts, type ListModel, presentCell, rowStatus, type Table } from '@qd/core/view'
import type { Ui } from '../../screen/state/ui.ts'
import { lastLines } from './text-scroll.ts'

const drawnOnly: readonly string[] = ['trend', 'part', 'secret']

/** Place, name, state, columns (behaviour T-29). */
export function spokenRow(
  ui: Ui,
  { resource, list, table }: { resource: Resource; list: Pick<ListModel, 'cursor' | 'index' | 'marks'>; table: Table },
): string[] {
  const { t } = ui.workspace
  const row = list.cursor === null ? undefined : ui.workspace.records.peek(resource.name, list.cursor)
  const marks = table.marked > 0 ? [t('ui.tui.list.marked', { count: table.marked })] : []
  if (!row) return [t(table.total > 0 ? 'ui.list.noResults' : 'ui.tui.spoken.empty'), ...marks]
  const names = table.columns.map(({ field }) => field).filter((name) => name !== resource.title)
  const text = [
    titleOf(resource, row),
    list.marks.has(row.id) ? t('ui.tui.spoken.marked') : '',
    ...statusWords(ui, resource, row),
    ...facts(ui, resource, row, names),
  ]
  const place = { index: list.index + 1, count: table.ids.length }
  return [t('ui.tui.spoken.row', { ...place, text: text.filter(Boolean).join(', ') }), ...marks]
}

export function spokenRecord(ui: Ui, resource: Resource, row: AnyRow): string[] {
  const figures = Object.keys(resource.fields).filter((name) =>
    ['percent', 'rate'].includes(fieldOf(resource, name).kind),
  )
  return [
    [titleOf(resource, row), ...statusWords(ui, resource, row)].join(', '),
    ...facts(ui, resource, row, [...factFields(resource), ...figures]),
  ]
}

function statusWords(ui: Ui, resource: Resource, row: AnyRow): string[] {
  const found = rowStatus(ui.workspace.surface(), resource, row)
  return found ? [found.absence ?? found.cause ?? found.word] : []
}

function facts(ui: Ui, resource: Resource, row: AnyRow, names: readonly string[]): string[] {
  const surface = ui.workspace.surface()
  return names.flatMap((field) => {
    const value = fieldValue(resource, row, field, surface.view)
    const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0)
    if (isEmpty || drawnOnly.includes(fieldOf(resource, field).kind)) return []
    const shown = presentCell(surface, { resource, row, field })
    return [`${ui.workspace.say(fieldKey(resource, field))} ${shown.full ?? shown.text}`]
  })
}

export function spokenItem(ui: Ui, item: RunItem, { index, count }: { index: number; count: number }): string[] {
  const { state, exit, reason } = itemTexts(item, ui.workspace)
  const text = [item.server_name || `#${item.server_id}`, state, exit, reason].filter(Boolean).join(', ')
  return [ui.workspace.t('ui.tui.spoken.row', { index: index + 1, count, text }), ...lastLines(item.output, 3)]
}
