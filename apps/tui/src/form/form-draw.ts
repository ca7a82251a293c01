import { fieldKey, textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { problemSentence } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import { headFor, widthOf } from '../output/width.ts'
import type { Area } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, span, wrapText } from '../terminal/line.ts'
import type { TextInput } from '../terminal/text-input.ts'
import { helpOf, inputLines } from './form-field.ts'
import { previewLines } from './form-preview.ts'

/** From this width on the preview stands beside the form. */
const besideFrom = 110
const previewCells = 47

/** What stands beside the inputs besides the preview; each in lines of so many cells. */
export interface Beside {
  /** Above the preview: warnings, and the records it is about. */
  notes(cells: number): readonly Line[]
  /** Below it: what the server says of the values; `tall` where there is room. */
  trials(size: { cells: number; tall: boolean }): readonly Line[]
}

/** What a form is drawn from. */
export interface FormDrawing extends Beside {
  readonly model: FormModel
  readonly focus: string
  readonly input: TextInput | null
  readonly area: Area
}

/** A drawn form. */
export interface DrawnForm {
  readonly lines: Line[]
  /** The field that a line belongs to; null for none. */
  fieldAt(row: number): string | null
}

/** A form: legends, labels, values, what is wrong, and what it will do (looks/tui.md "Form"). */
export function drawForm(ui: Ui, drawing: FormDrawing): DrawnForm {
  const { model, area, notes, trials } = drawing
  const { columns, rows } = area
  const beside = columns >= besideFrom
  const preview = [
    ...notes(beside ? previewCells - 1 : columns - 2).map((note) => (beside ? note : [blank(1), ...note])),
    ...previewLines(ui, model, { cells: beside ? previewCells : columns, tall: beside }),
    ...trials({ cells: beside ? previewCells : columns, tall: beside }),
  ]
  const left = beside && preview.length > 0 ? columns - previewCells - 2 : columns
  const { lines, focusAt, owners } = fieldLines(ui, drawing, left)
  const cli = cutLine([span(' = ', 'muted'), span(plainText(headFor(model.cliLine(), columns)), 'muted')], columns)
  /** The body of so many rows, and whose its lines are; `above` lines stand over it. */
  const part = (height: number, above: number) => {
    const top = scrollTop(lines.length + 1, focusAt + 1, height)
    return {
      body: [[], ...lines].slice(top, top + height) as Line[],
      fieldAt: (row: number) => owners[row - above + top - 1] ?? null,
    }
  }
  if (!beside) {
    const below = preview.slice(0, Math.max(0, rows - Math.min(lines.length, 8) - 2))
    const { body, fieldAt } = part(Math.max(1, rows - below.length), 0)
    return { lines: [...body, ...blankLines(rows - below.length - body.length), ...below], fieldAt }
  }
  if (preview.length === 0) {
    const { body, fieldAt } = part(rows - 1, 0)
    return { lines: [...body, ...blankLines(rows - 1 - body.length), cli], fieldAt }
  }
  const height = Math.max(1, rows - 3)
  const { body, fieldAt } = part(height, 1)
  const side: Line[] = [[], ...preview]
  const joined = Array.from({ length: height }, (_, row) => [
    ...fitLine(body[row] ?? [], left),
    span('│ ', 'rule'),
    ...cutLine(side[row] ?? [], previewCells),
  ])
  const rule = (joint: string) => line('─'.repeat(left) + joint + '─'.repeat(previewCells + 1), 'rule')
  return { lines: [rule('┬'), ...joined, rule('┴'), cli], fieldAt }
}

function blankLines(count: number): Line[] {
  return Array.from({ length: Math.max(0, count) }, () => [])
}

/** The lines of all fields, which of them has the focus, and whose each is. */
function fieldLines(
  ui: Ui,
  { model, focus, input }: FormDrawing,
  cells: number,
): { lines: Line[]; focusAt: number; owners: readonly (string | null)[] } {
  const { translator } = ui.workspace
  const { say } = translator
  const { shape } = model
  const groups = model.groups()
  const legends = groups.map(({ group }) => say(textKey.group(shape.name, group)))
  const labels = groups.flatMap(({ fields }) => fields.map(({ field }) => say(fieldKey(shape, field))))
  const narrow = cells < 70
  const legendCells = narrow ? 0 : Math.max(6, ...legends.map(widthOf)) + 1
  const mostLabel = narrow ? 16 : Math.max(30, Math.floor(cells / 2))
  const labelCells = Math.min(mostLabel, Math.max(12, ...labels.map(widthOf)) + 2)
  const valueCells = Math.max(8, cells - legendCells - labelCells - 5)
  const indent = blank(1 + legendCells + 2 + labelCells)
  const lines: Line[] = []
  const owners: (string | null)[] = []
  let focusAt = 0
  for (const [index, { fields }] of groups.entries()) {
    if (index > 0 && !narrow) {
      lines.push([])
      owners.push(null)
    }
    for (const [at, field] of fields.entries()) {
      const focused = field.field === focus
      if (focused) focusAt = lines.length
      const [first = [], ...more] = inputLines({ ui, model, field, focused, input, cells: valueCells })
      const label = say(fieldKey(shape, field.field))
      lines.push([
        blank(1),
        ...fitLine(line(at === 0 ? legends[index]! : '', 'muted'), legendCells),
        span(focused ? '▌ ' : '  ', 'accent'),
        ...fitLine(line(label, focused ? 'bold' : 'muted'), labelCells - 1),
        blank(1),
        ...first,
      ])
      for (const next of more) lines.push([indent, ...next])
      const help = focused ? helpOf(ui, shape, field) : null
      const below = field.problem ? `✗ ${problemSentence(translator, field.problem)}` : (help ?? '')
      for (const text of below === '' ? [] : wrapText(below, valueCells))
        lines.push([indent, span(text, field.problem ? 'bad' : 'muted')])
      while (owners.length < lines.length) owners.push(field.field)
    }
  }
  return { lines, focusAt, owners }
}

/** The first line in sight, so that the focused one and what stands below it are. */
function scrollTop(count: number, focusAt: number, rows: number): number {
  return Math.max(0, Math.min(focusAt + 3 - rows, count - rows))
}
