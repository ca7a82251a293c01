import {
  type AnyRow,
  deriving,
  type Field,
  type FormShape,
  fieldValue,
  holds,
  isSupported,
  type Resource,
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
