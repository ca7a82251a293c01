import {
  type AnyRow,
  deriving,
  type Figure,
  isSupported,
  optionName,
  type Resource,
  type StateText,
  type Tone,
  textKey,
} from '../define/index.ts'
import { present } from '../fields/index.ts'
import { contextOf, presentCell, type Surface } from './cell.ts'

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
