import type { FieldKind } from './fields.ts'
import type { ResourceName } from './names.ts'
import type { SayContext } from './report.ts'
import type { Resource } from './resource.ts'
import type { AnyRow } from './row.ts'

/**
 * A figure that is drawn as a line over time: `second` is a second line on the same scale, `max` the end of the scale, `label` the key of
 * a name for both lines, `note` a line of context, empty for none.
 */
export interface DetailFigure<F extends string = string> {
  readonly field: F
  readonly second?: F
  readonly max?: number
  readonly label?: string
  note?(row: AnyRow, context: SayContext): string
}

/**
 * What a section of a detail page holds, by its kind. A closed set: each front end answers every kind at compile time. Paths are those
 * of the wire, `{id}` is the record's id.
 */
export interface SectionShapes<F extends string> {
  /** A value that stands by itself above all others: what the record is about. */
  lead: { readonly field: F }
  /** What went wrong last; nothing where it is empty. */
  problem: { readonly field: F }
  /** Labels and values; those without a value are left out. */
  facts: { readonly fields: readonly F[] }
  /** What one seldom looks for: every fact that no other section says, filled in by itself. */
  rest: { readonly without?: readonly F[]; readonly fields?: readonly string[] }
  /** Records that the fields name, each with what it is. `headed`: below the label of the first field. */
  links: { readonly fields: readonly F[]; readonly headed?: true }
  /** A long text as it was written, with a way to copy it. */
  text: { readonly field: F }
  /** A bar for each of the last thirty days. */
  days: { readonly field: F }
  /** Figures of the last minutes, and their history where the server keeps one. */
  figures: { readonly figures: readonly DetailFigure<F>[] }
  /** How long it took to answer each server, over time. */
  latency: { readonly path: string }
  /** What this server looks at by itself, with its last measurements. */
  checks: { readonly path: string }
  /** What happened to it, newest first. */
  events: { readonly path: string }
  /** The group that is told and who is in it; nobody while none of `when` is set. */
  tells: { readonly group: F; readonly when: readonly F[] }
  /** Whom it told, and what came of it. */
  told: { readonly field: F; readonly heading: F }
  /** Records of another resource whose field `by` names this one, or that reach it; with some of their fields. */
  related: {
    readonly of: ResourceName
    readonly by: string | { readonly reach: true }
    readonly fields: readonly string[]
  }
  /** What happened on each server, live, with the output of one. It takes the whole page. */
  parts: { readonly field: F }
  /** Records that name this one: what its deletion would touch. Every page ends with it by itself. */
  'used-by': object
}

/** One of the closed set of sections. */
export type SectionKind = keyof SectionShapes<string>

/** Sections that take the whole page; any other page stands beside its list. */
const pageKinds = ['parts'] as const satisfies readonly SectionKind[]
export type PageKind = (typeof pageKinds)[number]

/** A section of a detail page. */
export type Section<F extends string = string> = {
  [K in SectionKind]: { readonly kind: K } & SectionShapes<F>[K]
}[SectionKind]
/** A section of one kind. */
export type SectionOf<K extends SectionKind> = Extract<Section, { readonly kind: K }>

/** What the author of a resource writes of its detail page. */
export interface DetailDefinition<F extends string> {
  /** Fields beside the title, as marks; those without a value and flags that are off are left out. */
  readonly tags?: readonly F[]
  readonly sections: readonly Section<F>[]
}

/** A detail page as the system runs on it. */
export interface Detail {
  readonly tags: readonly string[]
  readonly sections: readonly Section[]
  /** It takes the whole page; else it stands beside the list. */
  readonly isPage: boolean
}

/** Actions that open a record: its own page does not offer them. */
export const openingActions: readonly string[] = ['open', 'details']

const drawnAlone: readonly FieldKind[] = ['part', 'trend', 'days', 'secret', 'percent', 'rate']
const long: readonly FieldKind[] = ['note', 'command', 'rules']

type Base = Pick<Resource, 'fields' | 'columns' | 'derived' | 'input' | 'wire' | 'title' | 'state'>

/** Fields worth a line of a record: those of its list first, then what is derived, then the rest. */
export function factFields({ fields, columns, derived, input, wire, title, state }: Base): string[] {
  const names = [...columns.map(({ field }) => field), ...Object.keys(derived), ...Object.keys(fields)]
  return [...new Set(names)].filter((name) => {
    const field = fields[name]!
    const isOnlyTyped = name in input.shape && !(name in derived) && wire.shape === 'one'
    const isSaid = name === title || name === state?.field
    return !isSaid && !field.hidden && !field.formOnly && !isOnlyTyped && !drawnAlone.includes(field.kind)
  })
}

/** The detail page with every default filled: without one of its own a record shows its facts, then its long texts. */
export function completeDetail(base: Base, definition: DetailDefinition<string> | undefined): Detail {
  const { tags = [], sections = factSections(base) } = definition ?? {}
  const said = [...tags, ...sections.flatMap(fieldsOfSection)]
  const rest = factFields(base).filter((name) => name !== 'id' && !said.includes(name))
  const filled = sections.map((section) => (section.kind === 'rest' ? { ...section, fields: rest } : section))
  const isPage = sections.some(({ kind }) => (pageKinds as readonly SectionKind[]).includes(kind))
  return { tags, sections: isPage ? filled : [...filled, { kind: 'used-by' }], isPage }
}

function factSections(base: Base): readonly Section[] {
  const names = factFields(base).filter((name) => name !== 'id')
  const isLong = (name: string) => long.includes(base.fields[name]!.kind)
  return [
    { kind: 'facts', fields: names.filter((name) => !isLong(name)) },
    ...names.filter(isLong).map((field): Section => ({ kind: 'text', field })),
  ]
}

/** Fields of the record itself that a section names. */
export function fieldsOfSection(section: Section): readonly string[] {
  switch (section.kind) {
    case 'facts':
    case 'links':
      return section.fields
    case 'rest':
      return [...(section.without ?? []), ...(section.fields ?? [])]
    case 'lead':
    case 'problem':
    case 'text':
    case 'days':
    case 'parts':
      return [section.field]
    case 'told':
      return [section.field, section.heading]
    case 'tells':
      return [section.group, ...section.when]
    case 'figures':
      return section.figures.flatMap(({ field, second }) => (second === undefined ? [field] : [field, second]))
    case 'latency':
    case 'checks':
    case 'events':
    case 'related':
    case 'used-by':
      return []
  }
}
