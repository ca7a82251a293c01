import {
  type AnyRow,
  type Field,
  factFields,
  fieldKey,
  fieldOf,
  fieldValue,
  type Resource,
  titleOf,
} from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { recordMark } from '@qd/core/resources'
import { factsOf, presentCell, rowStatus } from '@qd/core/view'
import { widthOf } from '../../base/output/width.ts'
import { stateSpan, wordRole } from '../../screen/fields/marks.ts'
import { meter, sparkline } from '../../screen/fields/meter.ts'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, ruleLine, span } from '../../screen/terminal/line.ts'

/** 0 without room (looks/tui.md "List, 120x36"). */
export function paneRows({ columns, rows }: Area): number {
  if (columns < 110 || rows < 26) return 0
  return rows >= 40 ? 13 : 9
}

/** Title, facts and figures with trends, in so many rows or `whole`. */
export function paneLines(
  ui: Ui,
  pane: { resource: Resource; row: AnyRow; columns: number; rows: number; whole: boolean },
): Line[] {
  const { resource, row, columns, rows, whole } = pane
  const figures = figureLines(ui, resource, row, columns)
  const room = rows - 2 - (figures.length > 0 ? figures.length + 1 : 0)
  const facts = factLines(ui, resource, row, { columns, names: factFields(resource) })
  const shown = whole ? facts : facts.slice(0, Math.max(1, room))
  return [titleRule(ui, resource, row, columns), ...shown, ...(figures.length > 0 ? [[], ...figures] : [])]
}

/** `─ web-3 #33 ───── ▲ CPU 96 % ──` */
export function titleRule(ui: Ui, resource: Resource, row: AnyRow, columns: number): Line {
  const surface = ui.workspace.surface()
  const status = rowStatus(surface, resource, row)
  const mark = plainText(recordMark(resource, row, surface.view))
  const title = [span(plainText(titleOf(resource, row)), 'bold'), span(` ${mark}`, 'muted')]
  const state = status
    ? [stateSpan(status.option, status.tone), span(` ${status.cause ?? status.word}`, wordRole[status.tone])]
    : []
  return ruleLine(title, columns, state)
}

export function factLines(
  ui: Ui,
  resource: Resource,
  row: AnyRow,
  { columns, names }: { columns: number; names: readonly string[] },
): Line[] {
  const facts = factsOf(ui.workspace.surface(), resource, row, names).map(({ label, shown: { text, tone } }) => ({
    label,
    text,
    tone,
  }))
  const across = columns >= 110 ? 3 : columns >= 76 ? 2 : 1
  const cells = Math.floor((columns - 1) / across)
  const labelCells = Math.min(Math.floor(cells / 2) + 4, Math.max(8, ...facts.map(({ label }) => widthOf(label))))
  const down = Math.ceil(facts.length / across)
  return Array.from({ length: down }, (_, index) => [
    blank(1),
    ...facts
      .filter((_fact, at) => at % down === index)
      .flatMap(({ label, text, tone }) =>
        fitLine(
          [
            ...fitLine(line(label, 'muted'), labelCells),
            blank(1),
            ...cutLine([span(text, wordRole[tone])], cells - labelCells - 2),
          ],
          cells,
        ),
      ),
  ])
}

/** `CPU   96 % ▅▅▆█`: percentages at the left, rates at the right. */
export function figureLines(ui: Ui, resource: Resource, row: AnyRow, columns: number): Line[] {
  const surface = ui.workspace.surface()
  const { view } = surface
  const namesOf = (kind: Field['kind']) =>
    Object.keys(resource.fields).filter(
      (name) => fieldOf(resource, name).kind === kind && fieldValue(resource, row, name, view) !== null,
    )
  const half = Math.floor((columns - 1) / 2)
  const wide = columns >= 76
  const trendCells = Math.max(8, Math.min(40, (wide ? half : columns) - 34))
  const draw = (name: string): Line => {
    const shown = presentCell(surface, { resource, row, field: name })
    const value = fieldValue(resource, row, name, view) as number
    const trend = view.trend(resource.name, row.id, name)
    const isShare = fieldOf(resource, name).kind === 'percent'
    const curve = ui.style.ascii ? [] : sparkline(trend, trendCells, isShare ? 100 : Math.max(1, ...trend.map(Number)))
    const number = isShare ? (shown.full ?? shown.text) : shown.text
    return [
      ...fitLine(line(ui.workspace.say(fieldKey(resource, name)), 'muted'), 12),
      ...fitLine(
        [span(number, wordRole[shown.tone], ...(shown.tone === 'bad' ? (['bold'] as const) : []))],
        9,
        'right',
      ),
      blank(1),
      ...(isShare ? meter(value, shown.tone, 6) : [blank(6)]),
      blank(1),
      ...curve,
    ]
  }
  const left = namesOf('percent').map(draw)
  const right = namesOf('rate').map(draw)
  if (!wide) return [...left, ...right].map((drawn) => [blank(1), ...drawn])
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    blank(1),
    ...fitLine(left[index] ?? [], half),
    ...(right[index] ?? []),
  ])
}
