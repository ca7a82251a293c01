import type { ResourceName } from './names.ts'
import type { SayContext } from './report.ts'
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
  /** What went wrong last; nothing if it is empty. */
  problem: { readonly field: F }
  facts: { readonly fields: readonly F[] }
  /** What one seldom looks for: every fact that no other section says, filled in by itself. */
  rest: { readonly without?: readonly F[]; readonly fields?: readonly string[] }
  /** Records that the fields name, each with what it is. `headed`: below the label of the first field. */
  links: { readonly fields: readonly F[]; readonly headed?: true }
  text: { readonly field: F }
  days: { readonly field: F }
  /** Figures of the last minutes, and their history where the server keeps one. */
  figures: { readonly figures: readonly DetailFigure<F>[] }
  /** How long it took to answer each server, over time. */
  latency: { readonly path: string }
  /** What this server looks at by itself, with its last measurements. */
  checks: { readonly path: string }
  events: { readonly path: string }
  /** The group that is told and who is in it; nobody while none of `when` is set. */
  tells: { readonly group: F; readonly when: readonly F[] }
  /** All that happened in its time, oldest first: its beginning and end, whom it told with what came of it, and what people did. `says`: other fields that it says in its own way. */
  timeline: {
    readonly opened: F
    readonly closed: F
    readonly told: F
    readonly deeds: F
    readonly says: readonly F[]
  }
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

export type SectionKind = keyof SectionShapes<string>

/** Sections that take the whole page; any other page stands beside its list. */
export const pageKinds = ['parts'] as const satisfies readonly SectionKind[]

export type PageKind = (typeof pageKinds)[number]

/** A section of a detail page. `requires`: the capability without which the server has nothing for it. */
export type Section<F extends string = string> = {
  [K in SectionKind]: { readonly kind: K; readonly requires?: string } & SectionShapes<F>[K]
}[SectionKind]
export type SectionOf<K extends SectionKind> = Extract<Section, { readonly kind: K }>

/** What the author of a resource writes of its detail page. */
export interface DetailDefinition<F extends string> {
  /** Fields beside the title, as marks; those without a value and flags that are off are left out. */
  readonly tags?: readonly F[]
  readonly sections: readonly Section<F>[]
}

export interface Detail {
  readonly tags: readonly string[]
  readonly sections: readonly Section[]
  /** It takes the whole page; else it stands beside the list. */
  readonly isPage: boolean
}

/** Actions that open a record: its own page does not offer them. */
export const openingActions: readonly string[] = ['open', 'details']
