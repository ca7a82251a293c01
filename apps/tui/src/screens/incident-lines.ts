import { type AnyRow, textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { incident } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import type { Ui } from '../app/ui.ts'
import { stateSpan } from '../fields/marks.ts'
import { blank, cutLine, fitLine, type Line, line, ruleLine, span } from '../terminal/line.ts'

const shown = 8

/** The last incidents of a record as a section: state, since when, how long, what was measured. Empty without any. */
export function incidentSection(ui: Ui, field: 'server_id' | 'service_id', id: number, columns: number): Line[] {
  const { say } = ui.desk.translator
  const rows = incidentsOf(ui, field, id).slice(0, shown)
  if (rows.length === 0) return []
  return [
    [],
    ruleLine([span(say(textKey.many('incident')))], columns),
    ...rows.map((row) => incidentLine(ui, row, columns)),
  ]
}

/** The last incidents of a record in words. */
export function incidentTexts(ui: Ui, field: 'server_id' | 'service_id', id: number): string[] {
  return incidentsOf(ui, field, id)
    .slice(0, shown)
    .map((row) => ['name', 'state', 'opened_at', 'lasted'].map((name) => cell(ui, row, name).text).join(', '))
}

function incidentsOf(ui: Ui, field: 'server_id' | 'service_id', id: number): AnyRow[] {
  return ui.desk.records
    .peekAll('incident')
    .filter((row) => row[field] === id)
    .sort((a, b) => String(b.opened_at).localeCompare(String(a.opened_at)))
}

function cell(ui: Ui, row: AnyRow, field: string) {
  return presentCell(ui.desk.surface(), { resource: incident, row, field })
}

function incidentLine(ui: Ui, row: AnyRow, columns: number): Line {
  const state = cell(ui, row, 'state')
  const measured = cell(ui, row, 'reading')
  return cutLine(
    [
      blank(1),
      stateSpan(String(row.state), state.tone),
      blank(1),
      ...fitLine(line(cell(ui, row, 'opened_at').text, 'muted'), 11),
      ...fitLine(line(cell(ui, row, 'lasted').text, 'muted'), 13),
      span(`${plainText(String(row.name))}  `),
      span(`${state.text}  `, 'muted'),
      ...(row.reading === null ? [] : [span(measured.full ?? measured.text, 'muted')]),
    ],
    columns,
  )
}
