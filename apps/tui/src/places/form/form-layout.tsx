import { fieldKey, textKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { problemSentence } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import { Box } from 'ink'
import { headFor, widthOf } from '../../base/output/width.ts'
import { useArea, useLive } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, cutLine, fitLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { helpOf, inputLines } from './form-field.ts'
import { previewLines } from './form-preview.ts'

const besideFrom = 110
export const sideCells = 47

export interface Beside {
  notes(cells: number): readonly Line[]
  checks(size: { cells: number; tall: boolean }): readonly Line[]
}

export interface FormDrawing extends Beside {
  readonly model: FormModel
  readonly focus: string
  readonly input: TextInput | null
  readonly area: Area
}

export type LaidForm = ReturnType<typeof layForm>

export function layForm(ui: Ui, drawing: FormDrawing) {
  const { model, area, notes, checks } = drawing
  const { columns, rows } = area
  const beside = columns >= besideFrom
  const preview = [
    ...notes(beside ? sideCells - 1 : columns - 2).map((note) => (beside ? note : [blank(1), ...note])),
    ...previewLines(ui, model, { cells: beside ? sideCells : columns, tall: beside }),
    ...checks({ cells: beside ? sideCells : columns, tall: beside }),
  ]
  const side = beside && preview.length > 0 ? preview : null
  const cells = side ? columns - sideCells - 2 : columns
  const { blocks, focusAt } = fieldBlocks(ui, drawing, cells)
  const owners = blocks.flatMap(({ field, lines }) => lines.map(() => field))
  const below = beside ? [] : preview.slice(0, Math.max(0, rows - Math.min(owners.length, 8) - 2))
  const height = Math.max(1, rows - (side ? 3 : beside ? 1 : below.length))
  /** Hidden rows above; the first row is blank. */
  const top = Math.max(0, Math.min(focusAt + 4 - height, owners.length + 1 - height))
  const above = side ? 1 : 0
  return {
    ...{ blocks, cells, height, top, side, below },
    cli: beside
      ? cutLine([span(' = ', 'muted'), span(plainText(headFor(model.cliLine(), columns)), 'muted')], columns)
      : null,
    fieldAt: (row: number) => owners[row - above + top - 1] ?? null,
  }
}

/** The lines of each field, and the first one of the focused. */
function fieldBlocks(ui: Ui, { model, focus, input }: FormDrawing, cells: number) {
  const { translator, say } = ui.workspace
  const { shape } = model
  const groups = model.groups()
  const legends = groups.map(({ group }) => say(textKey.group(shape.name, group)))
  const labels = groups.flatMap(({ fields }) => fields.map(({ field }) => say(fieldKey(shape, field))))
  const narrow = cells < 70
  const legendCells = narrow ? 0 : Math.max(6, ...legends.map(widthOf)) + 1
  const maxLabel = narrow ? 16 : Math.max(30, Math.floor(cells / 2))
  const labelCells = Math.min(maxLabel, Math.max(12, ...labels.map(widthOf)) + 2)
  const valueCells = Math.max(8, cells - legendCells - labelCells - 5)
  const indent = blank(1 + legendCells + 2 + labelCells)
  const blocks: { readonly field: string | null; readonly lines: readonly Line[] }[] = []
  let focusAt = 0
  for (const [index, { fields }] of groups.entries()) {
    if (index > 0 && !narrow) blocks.push({ field: null, lines: [[]] })
    for (const [at, field] of fields.entries()) {
      const focused = field.field === focus
      if (focused) focusAt = blocks.reduce((sum, { lines }) => sum + lines.length, 0)
      const [first = [], ...more] = inputLines({ ui, model, field, focused, input, cells: valueCells })
      const label = say(fieldKey(shape, field.field))
      const head: Line = [
        blank(1),
        ...fitLine(line(at === 0 ? legends[index]! : '', 'muted'), legendCells),
        span(focused ? '▌ ' : '  ', 'accent'),
        ...fitLine(line(label, focused ? 'bold' : 'muted'), labelCells - 1),
        blank(1),
        ...first,
      ]
      const help = focused ? helpOf(ui, shape, field) : null
      const below = field.problem ? `✗ ${problemSentence(translator, field.problem)}` : (help ?? '')
      const notes = (below === '' ? [] : wrapText(below, valueCells)).map((text) => [
        indent,
        span(text, field.problem ? 'bad' : 'muted'),
      ])
      blocks.push({ field: field.field, lines: [head, ...more.map((next) => [indent, ...next]), ...notes] })
    }
  }
  return { blocks, focusAt }
}

export function FormView({ lay }: { lay(area: Area): LaidForm }) {
  const area = useArea()
  const laid = useLive(() => lay(area))
  const { blocks, top, side, height, below, cli } = laid
  const fields = [[], ...blocks.flatMap(({ lines }) => lines)].slice(top, top + height)
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      {side ? (
        <>
          <Edge joint="┬" columns={area.columns} />
          <Rows lines={besides(fields, laid, side)} />
          <Edge joint="┴" columns={area.columns} />
        </>
      ) : (
        <Box height={height} flexShrink={0}>
          <Rows lines={fields} />
        </Box>
      )}
      <Rows lines={below} />
      {cli && <Row line={cli} />}
    </Box>
  )
}

function besides(fields: readonly Line[], { cells, height }: LaidForm, side: readonly Line[]): Line[] {
  return Array.from({ length: height }, (_, row) => [
    ...fitLine(fields[row] ?? [], cells),
    span('│ ', 'rule'),
    ...(side[row - 1] ?? []),
  ])
}

function Edge({ joint, columns }: { joint: string; columns: number }) {
  const left = columns - sideCells - 2
  return <Row line={line('─'.repeat(left) + joint + '─'.repeat(sideCells + 1), 'rule')} />
}
