import { stateMark } from '@qd/core/actions'
import { type AnyRow, fieldOf, type Resource, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { watchedServices } from '@qd/core/schemas'
import { presentCell, relatedRows, sortRows } from '@qd/core/view'
import { cutMiddle, wholeName, widthOf } from '../../base/output/width.ts'
import { stateSpan } from '../../screen/fields/marks.ts'
import { sparkline } from '../../screen/fields/meter.ts'
import { createLoaded } from '../../screen/state/loaded.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, span } from '../../screen/terminal/line.ts'
import type { SectionMaker } from './section-view.ts'

const shown = 8
const timeCells = 11

/** Requests them if the list is server-paged. */
export const createRelated: SectionMaker<'related'> = (ui, { id, section }) => {
  const { workspace } = ui
  const of = resourceByName(section.of)
  const { by } = section
  const isAsked = of.wire.paging === 'server' && typeof by === 'string'
  const isThere = () => of.requires === null || workspace.session.supports(of.requires)
  const found = createLoaded(ui, () => workspace.records.find(of.name, { q: `${by}:#${id}`, limit: shown }))
  const rows = (): readonly AnyRow[] => {
    const known = relatedRows(workspace.surface(), section, id)
    const asked = (found.value ?? []).flatMap((one) => workspace.records.peek(of.name, one) ?? [])
    const all = [...new Map([...known, ...asked].map((row) => [row.id, row])).values()]
    return sortRows(of, all, of.sort, workspace.view).slice(0, shown)
  }
  return {
    watch: () => (isAsked && isThere() ? found.watch() : () => undefined),
    load: () => isAsked && isThere() && found.load(),
    comes: () => found.isComing,
    lines: (_row, columns) => rowLines(ui, of, rows(), section.fields, columns),
    spoken: () => rows().map((row) => spokenRow(ui, of, row, section.fields)),
  }
}

const textsOf = ({ workspace }: Ui, of: Resource, row: AnyRow, fields: readonly string[]) =>
  fields.map((field) => {
    const cell = presentCell(workspace.surface(), { resource: of, row, field })
    return row[field] === null ? '' : plainText(cell.full ?? cell.text)
  })

/** Records below each other: state, time if they are ordered by it, name, and values of these fields. */
export function rowLines(
  ui: Ui,
  of: Resource,
  rows: readonly AnyRow[],
  fields: readonly string[],
  columns: number,
): readonly Line[] {
  const named = nameColumn(
    rows.map((row) => plainText(titleOf(of, row))),
    columns,
  )
  return rows.map((row, index) =>
    cutLine(
      [
        blank(1),
        ...markOf(ui, of, row),
        ...timeOf(ui, of, row),
        ...(named.lines[index] ?? []),
        ...textsOf(ui, of, row, fields).flatMap((text) => (text === '' ? [] : [span(`  ${text}`, 'muted')])),
      ],
      columns,
    ),
  )
}

export const spokenRow = (ui: Ui, of: Resource, row: AnyRow, fields: readonly string[]): string =>
  [plainText(titleOf(of, row)), ...textsOf(ui, of, row, fields).filter(Boolean)].join(', ')

export function nameColumn(names: readonly string[], columns: number): { lines: readonly Line[]; cells: number } {
  const cells = Math.min(wholeName(columns), Math.max(0, ...names.map(widthOf)))
  return { lines: names.map((name) => fitLine(line(cutMiddle(name, cells, '…')), cells)), cells }
}

function markOf({ workspace }: Ui, of: Resource, row: AnyRow): Line {
  const mark = stateMark(of, row, workspace.view)
  return mark && mark.tone !== 'plain' ? [stateSpan(mark.option, mark.tone), blank(1)] : []
}

function timeOf({ workspace }: Ui, of: Resource, row: AnyRow): Line {
  if (fieldOf(of, of.sort.field).kind !== 'instant') return []
  const { text } = presentCell(workspace.surface(), { resource: of, row, field: of.sort.field })
  return fitLine(line(text, 'muted'), timeCells)
}

export const createChecks: SectionMaker<'checks'> = (ui, { id, section }) => {
  const { client, format, translator } = ui.workspace
  const path = section.path.replace('{id}', String(id))
  const checks = createLoaded(ui, async () => watchedServices().parse(await client.send({ method: 'GET', path })))
  const figure = (delay: number | undefined) => (delay ? format.latency(delay) : translator.t('ui.value.noData'))
  return {
    watch: checks.watch,
    load: checks.load,
    comes: () => checks.isComing,
    lines(_row, columns) {
      const all = checks.value ?? []
      const named = nameColumn(
        all.map(({ monitor_name: name }) => plainText(name)),
        columns,
      )
      const trendCells = Math.max(8, Math.min(40, columns - named.cells - timeCells - 5))
      return all.map(({ avg_delay: delays }, index) =>
        cutLine(
          [
            blank(1),
            ...(named.lines[index] ?? []),
            ...fitLine(line(figure(delays.at(-1))), timeCells, 'right'),
            blank(2),
            ...(ui.style.ascii ? [] : sparkline(delays, trendCells, Math.max(1, ...delays))),
          ],
          columns,
        ),
      )
    },
    spoken: () =>
      (checks.value ?? []).map(
        ({ monitor_name: name, avg_delay: delays }) => `${plainText(name)} ${figure(delays.at(-1))}`,
      ),
  }
}
