import {
  type AnyRow,
  deriving,
  type Figure,
  isTold,
  optionName,
  type Resource,
  type StateText,
  type Tone,
  textKey,
} from '../define/index.ts'
import { present } from '../fields/index.ts'
import { contextOf, presentCell, type Surface } from './cell.ts'

/** How a record stands: the option for the shape, its word, the cause beside the title, the sentence in place of live figures. */
export interface RowStatus {
  /** Name of the state field's option, e.g. `offline`; null for one we do not know. */
  option: string | null
  tone: Tone
  word: string
  /** "CPU 96%"; null while nothing presses. */
  cause: string | null
  /** "Offline. Last seen 11:20, 3 h 12 min ago"; null while there are figures. */
  absence: string | null
  /** “maintenance until 18:00”; null while nothing is planned. */
  planned: string | null
}

/** The status of a record, or null for a resource without states and for a server that does not tell them. */
export function rowStatus(surface: Surface, resource: Resource, row: AnyRow): RowStatus | null {
  const { state } = resource
  if (!state || !isTold(resource.fields[state.field], surface.view)) return null
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

/** In a sentence a time that is past says its distance too, and a percentage its sign. */
function figureText(surface: Surface, resource: Resource, row: AnyRow, { kind, value }: Figure): string {
  const { format, view } = surface
  if (kind === 'instant' && typeof value === 'string')
    return Date.parse(value) > view.now ? format.instant(value, view.now) : format.since(value, view.now)
  const shown = present({ kind } as never, value, contextOf(surface, { resource, row, field: '' }))
  return kind === 'percent' || kind === 'rate' ? (shown.full ?? shown.text) : shown.text
}
