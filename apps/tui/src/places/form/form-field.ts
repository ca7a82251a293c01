import { type Field, type FieldKind, type FormShape, fieldKey, optionName, textKey } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { problemSentence } from '@qd/core/i18n'
import { resourceByName } from '@qd/core/resources'
import { type FormField, type FormModel, hasSecret, presentCell } from '@qd/core/view'
import { headFor } from '../../base/output/width.ts'
import { keyText } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { cutLine, type Line, line, lineText, lineWidth, span } from '../../screen/terminal/line.ts'
import { isTypable, type TextInput } from '../../screen/terminal/text-input.ts'

/** `line` and `secret` in place, `editor` in the user's editor (in place while one line), `picker` for records. */
export type InputKind = 'line' | 'secret' | 'editor' | 'choice' | 'flag' | 'picker' | 'none'

const inputKinds = {
  text: 'line',
  note: 'editor',
  secret: 'secret',
  command: 'editor',
  schedule: 'line',
  address: 'line',
  version: 'line',
  number: 'line',
  duration: 'line',
  bytes: 'line',
  rate: 'line',
  percent: 'line',
  trend: 'none',
  flag: 'flag',
  choice: 'choice',
  ref: 'picker',
  refs: 'picker',
  list: 'line',
  'id-map': 'line',
  instant: 'line',
  targets: 'none',
  part: 'none',
  rules: 'editor',
  days: 'none',
  reading: 'none',
} satisfies Record<FieldKind, InputKind>

/** Records of a resource that isn't loaded are typed by id. */
export function inputKindOf(field: Field): InputKind {
  if (isOpenSecret(field)) return field.kind === 'secret' && field.lines ? 'editor' : 'line'
  return 'to' in field && !resourceByName(field.to) ? 'line' : inputKinds[field.kind]
}

export const clearKey = 'Delete'
const shownLines = 3

export interface InputRequest {
  readonly ui: Ui
  readonly model: FormModel
  readonly field: FormField
  readonly focused: boolean
  readonly input: TextInput | null
  readonly cells: number
}

export function inputLines(request: InputRequest): Line[] {
  const { model, field, focused, input, cells, ui } = request
  const kind = inputKindOf(field.definition)
  if (kind === 'choice') return [choiceLine(request)]
  if (kind === 'flag') {
    const word = ui.workspace.t(field.value ? 'ui.value.yes' : 'ui.value.no')
    return [[span(field.value ? '[x] ' : '[ ] ', focused ? 'bold' : 'plain'), span(word, 'muted')]]
  }
  if (kind === 'picker') return [pickedLine(request)]
  const text = model.text(field.field)
  if (kind === 'editor' && !isTypable(text)) return manyLines(ui, text, cells)
  if (field.definition.kind === 'secret' && text === '') return [keepLine(request), ...maskedLines(request)]
  if (focused && input) return [input.draw(cells, { secret: kind === 'secret' })]
  if (kind === 'secret') return [line('•'.repeat(Math.min(cells, text.length)))]
  if (field.definition.kind === 'instant' && !field.problem && typeof field.value === 'string' && field.value !== '')
    return [cutLine(line(ui.workspace.format.instantLong(field.value)), cells)]
  return [cutLine(line(plainText(headFor(text, cells))), cells)]
}

/** `(•) scheduled   ( ) triggered`, or only the current one if narrow. */
function choiceLine({ ui, model, field, cells, focused }: InputRequest): Line {
  const { options } = field.definition as Field & { kind: 'choice' }
  const label = (name: string) => ui.workspace.say(textKey.option(model.shape.name, field.field, name))
  const all = Object.entries(options).flatMap(([name, value], index): Line => {
    const chosen = value === field.value
    return [
      span(index === 0 ? '' : '   '),
      span(chosen ? '(•) ' : '( ) ', chosen ? 'accent' : 'muted'),
      span(label(name), ...(chosen && focused ? (['bold'] as const) : [])),
    ]
  })
  if (lineWidth(all) <= cells) return all
  const name = optionName({ options }, field.value)
  return [
    span('‹ ', 'accent'),
    ...cutLine(
      line(name === null ? String(field.value) : label(name), ...(focused ? (['bold'] as const) : [])),
      cells - 4,
    ),
    span(' ›', 'accent'),
  ]
}

function pickedLine({ ui, model, field, cells, focused }: InputRequest): Line {
  const shown = presentCell(ui.workspace.surface(), {
    resource: model.shape,
    row: { id: 0 },
    field: field.field,
    value: field.value,
  })
  const hint = focused ? [span(`  ${keyText(ui, 'Enter')} ${ui.workspace.t('ui.tui.form.pick')}`, 'muted')] : []
  const value = cutLine(
    [span(shown.full ?? shown.text, shown.tone === 'muted' ? 'muted' : 'plain')],
    cells - lineWidth(hint),
  )
  return [...value, ...hint]
}

function manyLines(ui: Ui, text: string, cells: number): Line[] {
  const lines = plainLines(headFor(text, shownLines * cells)).split('\n')
  const { t } = ui.workspace
  return [
    ...lines.slice(0, shownLines).map((one) => cutLine(line(one.replaceAll('\t', '  ')), cells)),
    line(t('ui.tui.form.lines', { count: text.split('\n').length, key: keyText(ui, 'Enter') }), 'muted'),
  ]
}

function keepLine({ ui, model, field, focused, input, cells }: InputRequest): Line {
  const { t } = ui.workspace
  const definition = field.definition as Field & { kind: 'secret' }
  const cursor = focused && input ? [...input.draw(1), span(' ')] : []
  const isCleared = field.value === null
  const words = (): string => {
    if (hasSecret(model, field)) return t(isCleared ? 'ui.secret.cleared' : 'ui.secret.unchanged')
    const mayBeStored = model.mode === 'edit' && definition.has === undefined && !field.required
    return mayBeStored ? t('ui.form.keepSecret') : ''
  }
  return cutLine([...cursor, span(words(), isCleared ? 'warnWord' : 'muted')], cells)
}

function maskedLines({ model, field, focused, cells }: InputRequest): Line[] {
  const { masked } = field.definition as Field & { kind: 'secret' }
  const text = masked && focused && field.value !== null ? String(model.base?.[masked.field] ?? '') : ''
  if (text === '') return []
  const lines = plainLines(headFor(text, shownLines * cells)).split('\n')
  return lines.slice(0, shownLines).map((one) => cutLine(line(one.replaceAll('\t', '  '), 'muted'), cells))
}

export function helpOf(ui: Ui, shape: FormShape, field: FormField): string | null {
  const { definition, value } = field
  if (definition.kind === 'instant' && typeof value === 'string' && value !== '')
    return `= ${ui.workspace.format.instantFull(value)}`
  return field.definition.help ? ui.workspace.say(textKey.help(shape.name, field.field)) : null
}

export function spokenField(ui: Ui, model: FormModel, field: FormField): string[] {
  const { t, say } = ui.workspace
  const value = inputLines({ ui, model, field, focused: false, input: null, cells: 200 }).map(lineText).join(' ').trim()
  const problem =
    field.problem && t('ui.tui.spoken.error', { text: problemSentence(ui.workspace.translator, field.problem) })
  const help = helpOf(ui, model.shape, field)
  return [
    t('ui.tui.spoken.field', {
      name: say(fieldKey(model.shape, field.field)),
      text: value || t('ui.tui.spoken.empty'),
    }),
    ...(problem ? [problem] : help ? [help] : []),
  ]
}

/** Secrets shown while typing: templates and multi-line texts. Stored ones are never shown. */
function isOpenSecret(field: Field): boolean {
  return field.kind === 'secret' && (field.lines === true || field.template === true)
}
