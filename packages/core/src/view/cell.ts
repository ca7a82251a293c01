import {
  type AnyRow,
  deriving,
  type Field,
  type Figure,
  type FormShape,
  fieldValue,
  holds,
  isSupported,
  optionName,
  type Resource,
  type StateText,
  type Tone,
  textKey,
  type View,
  type Viewer,
} from '../define/index.ts'
import { type PresentContext, type Presented, present } from '../fields/index.ts'
import type { Format, Translator } from '../i18n/index.ts'
import { loadedTargets } from '../resources/index.ts'

export interface Surface {
  readonly translator: Translator
  readonly format: Format
  readonly view: View
  readonly viewer: Viewer
}

/** `value` replaces the record’s own, for unsaved input. */
export function presentCell(
  surface: Surface,
  {
    resource,
    row,
    field,
    value,
  }: {
    resource: FormShape & Partial<Pick<Resource, 'derived' | 'title'>>
    row: AnyRow
    field: string
    value?: unknown
  },
): Presented {
  const definition = resource.fields[field] as Field
  if (!isSupported(definition, surface.view)) return { text: '', tone: 'muted', sort: null }
  const without = (key: string): Presented => ({ text: surface.translator.say(key), tone: 'muted', sort: null })
  const whole = deriving({ derived: resource.derived ?? {} }, row, surface.view)
  if (value === undefined && definition.absentWhen && holds(definition.absentWhen, whole))
    return without(textKey.absent(resource.name, field))
  if (value === undefined && definition.withheldWhen && holds(definition.withheldWhen, row))
    return without(textKey.withheld(resource.name, field))
  const shown = value === undefined ? fieldValue(resource, row, field, surface.view) : value
  if (field === resource.title && definition.kind === 'text' && shown === '')
    return { text: surface.translator.t('ui.value.noName'), tone: 'muted', sort: null }
  return present(definition, shown, contextOf(surface, { resource, row, field }))
}

export function contextOf(
  surface: Surface,
  { resource, row, field }: { resource: FormShape; row: AnyRow; field: string },
): PresentContext {
  const { translator, format, view, viewer } = surface
  return {
    resource,
    fieldName: field,
    row,
    translator,
    format,
    view,
    targetsText(selection) {
      const { key, params } = loadedTargets(selection, { view, viewer, row }).sentence
      return translator.say(key, params)
    },
  }
}

export interface RowStatus {
  /** Option of the state field, such as `offline`; null if unknown. */
  option: string | null
  tone: Tone
  word: string
  /** "CPU 96%"; null without a problem. */
  cause: string | null
  /** "Offline. Last seen 11:20, 3 h 12 min ago"; null while there are metrics. */
  absence: string | null
  /** “maintenance until 18:00”. */
  planned: string | null
}

/** Null for a resource without states, or if the server doesn’t support them. */
export function rowStatus(surface: Surface, resource: Resource, row: AnyRow): RowStatus | null {
  const { state } = resource
  if (!state || !isSupported(resource.fields[state.field], surface.view)) return null
  const full = deriving(resource, row, surface.view)
  const definition = resource.fields[state.field]
  const { text, tone } = presentCell(surface, { resource, row, field: state.field, value: full[state.field] })
  const say = (sentence: StateText | null) => sentence && stateSentence(surface, resource, full, sentence)
  return {
    option: definition?.kind === 'choice' ? optionName(definition, full[state.field]) : null,
    tone,
    word: text,
    cause: say(state.cause(full, surface.view)),
    absence: say(state.absence(full, surface.view)),
    planned: say(state.planned?.(full, surface.view) ?? null),
  }
}

function stateSentence(surface: Surface, resource: Resource, row: AnyRow, { name, params }: StateText): string {
  const entries = Object.entries(params).map(([param, figure]) => [param, figureText(surface, resource, row, figure)])
  return surface.translator.say(textKey.state(resource.name, name), Object.fromEntries(entries))
}

/** In a sentence a past time includes its distance, and a percentage its sign. */
function figureText(surface: Surface, resource: Resource, row: AnyRow, { kind, value }: Figure): string {
  const { format, view } = surface
  if (kind === 'instant' && typeof value === 'string')
    return Date.parse(value) > view.now ? format.instant(value, view.now) : format.since(value, view.now)
  const shown = present({ kind } as never, value, contextOf(surface, { resource, row, field: '' }))
  return kind === 'percent' || kind === 'rate' ? (shown.full ?? shown.text) : shown.text
}
