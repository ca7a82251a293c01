import { fieldKey, textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { problemSentence } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import type { Area } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { widthOf } from '../output/width.ts'
import { blank, cutLine, fitLine, type Line, line, span } from '../terminal/line.ts'
import type { TextInput } from '../terminal/text-input.ts'
import { helpOf, inputLines } from './form-field.ts'
import { previewLines } from './form-preview.ts'

/** From this width on the preview stands beside the form. */
const besideFrom = 110
const previewCells = 47

/** What a form is drawn from. */
export interface FormDrawing {
  readonly model: FormModel
  readonly focus: string
  readonly input: TextInput | null
  readonly saving: boolean
  readonly area: Area
  readonly cliLine: string
}

/** A form: legends, labels, values, what is wrong, and what it will do (design/looks/tui.md "Form"). */
export function drawForm(ui: Ui, drawing: FormDrawing): Line[] {
  const { model, area, cliLine } = drawing
  const { columns, rows } = area
  const beside = columns >= besideFrom
  const left = beside ? columns - previewCells - 2 : columns
  const { lines, focusAt } = fieldLines(ui, drawing, left)
  const preview = previewLines(ui, model, { cells: beside ? previewCells : columns, tall: beside })
  const cli = cutLine([span(' = ', 'muted'), span(plainText(cliLine), 'muted')], columns)
  if (!beside) {
    const below = preview.slice(0, Math.max(0, rows - Math.min(lines.length, 8) - 2))
    const body = scrolled([[], ...lines], focusAt + 1, Math.max(1, rows - below.length))
    return [...body, ...Array.from({ length: Math.max(0, rows - below.length - body.length) }, () => []), ...below]
  }
  if (preview.length === 0) {
    const body = scrolled([[], ...lines], focusAt + 1, rows - 1)
    return [...body, ...Array.from({ length: Math.max(0, rows - 1 - body.length) }, () => []), cli]
  }
  const height = Math.max(1, rows - 3)
  const body = scrolled([[], ...lines], focusAt + 1, height)
  const side: Line[] = [[], ...preview]
  const joined = Array.from({ length: height }, (_, row) => [
    ...fitLine(body[row] ?? [], left),
    span('│ ', 'rule'),
    ...cutLine(side[row] ?? [], previewCells),
  ])
  const rule = (joint: string) => line('─'.repeat(left) + joint + '─'.repeat(previewCells + 1), 'rule')
  return [rule('┬'), ...joined, rule('┴'), cli]
}

function fieldLines(ui: Ui, { model, focus, input }: FormDrawing, cells: number): { lines: Line[]; focusAt: number } {
  const { translator } = ui.desk
  const { say } = translator
  const { shape } = model
  const groups = model.groups()
  const legends = groups.map(({ group }) => say(textKey.group(shape.name, group)))
  const labels = groups.flatMap(({ fields }) => fields.map(({ field }) => say(fieldKey(shape, field))))
  const narrow = cells < 70
  const legendCells = narrow ? 0 : Math.max(6, ...legends.map(widthOf)) + 1
  const labelCells = Math.min(narrow ? 16 : 30, Math.max(12, ...labels.map(widthOf)) + 2)
  const valueCells = Math.max(8, cells - legendCells - labelCells - 5)
  const indent = blank(1 + legendCells + 2 + labelCells)
  const lines: Line[] = []
  let focusAt = 0
  for (const [index, { fields }] of groups.entries()) {
    if (index > 0 && !narrow) lines.push([])
    for (const [at, field] of fields.entries()) {
      const focused = field.field === focus
      if (focused) focusAt = lines.length
      const [first = [], ...more] = inputLines({ ui, model, field, focused, input, cells: valueCells })
      const label = say(fieldKey(shape, field.field))
      lines.push([
        blank(1),
        ...fitLine(line(at === 0 ? legends[index]! : '', 'muted'), legendCells),
        span(focused ? '▌ ' : '  ', 'accent'),
        ...fitLine(line(label, focused ? 'bold' : 'muted'), labelCells),
        ...first,
      ])
      for (const next of more) lines.push([indent, ...next])
      const help = focused ? helpOf(ui, shape, field) : null
      if (field.problem)
        lines.push([indent, ...cutLine([span(`✗ ${problemSentence(translator, field.problem)}`, 'bad')], valueCells)])
      else if (help) lines.push([indent, ...cutLine(line(help, 'muted'), valueCells)])
    }
  }
  return { lines, focusAt }
}

/** The lines that fit, with the focused one and what stands below it in sight. */
function scrolled(lines: readonly Line[], focusAt: number, rows: number): Line[] {
  const top = Math.max(0, Math.min(focusAt + 3 - rows, lines.length - rows))
  return lines.slice(top, top + rows)
}
