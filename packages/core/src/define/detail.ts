import type { ResourceName } from './names.ts'
import type { SayContext } from './report.ts'
import type { AnyRow } from './row.ts'

/**
 * A metric drawn over time. `second`: a second line on the same scale. `max`: the end of the scale. `label`: text key for both lines. `note`:
 * context, empty for none.
 */
export interface DetailFigure<F extends string = string> {
  readonly field: F
  readonly second?: F
  readonly max?: number
  readonly label?: string
  note?(row: AnyRow, context: SayContext): string
}

/** Contents of detail sections by kind. Each front end handles every kind at compile time. In paths, `{id}` is the record’s ID. */
export interface SectionShapes<F extends string> {
  /** A value above all others. */
  lead: { readonly field: F }
  /** The last failure; hidden if empty. */
  problem: { readonly field: F }
  facts: { readonly fields: readonly F[] }
  /** All facts that no other section has. */
  rest: { readonly without?: readonly F[]; readonly fields?: readonly string[] }
  /** Referenced records. `headed`: titled by the first field. */
  links: { readonly fields: readonly F[]; readonly headed?: true }
  text: { readonly field: F }
  days: { readonly field: F }
  /** Metrics of the last minutes, and their history if the server has one. */
  figures: { readonly figures: readonly DetailFigure<F>[] }
  /** Response times per server. */
  latency: { readonly path: string }
  /** The monitors that this server runs. */
  checks: { readonly path: string }
  events: { readonly path: string }
  /** The notified group with its members; hidden if no flag in `when` is set. */
  notifies: { readonly group: F; readonly when: readonly F[] }
  /** Events of the record, oldest first: start, end, deliveries and what people did. `says`: fields that it includes. */
  timeline: {
    readonly opened: F
    readonly closed: F
    readonly told: F
    readonly responses: F
    readonly says: readonly F[]
  }
  /** Records of another resource that refer to this one by the field `by`, or target it. */
  related: {
    readonly of: ResourceName
    readonly by: string | { readonly targets: true }
    readonly fields: readonly string[]
  }
  /** Live results of each server with output. Takes the whole page. */
  parts: { readonly field: F }
  /** The first records of each kind that live on this server’s host, read while they are on screen. */
  hosted: object
  /** Records that refer to this one. Ends every page. */
  'used-by': object
}

export type SectionKind = keyof SectionShapes<string>

export const pageKinds = ['parts'] as const satisfies readonly SectionKind[]

export type PageKind = (typeof pageKinds)[number]

/** `requires`: the capability that the section needs. */
export type Section<F extends string = string> = {
  [K in SectionKind]: { readonly kind: K; readonly requires?: string } & SectionShapes<F>[K]
}[SectionKind]
export type SectionOf<K extends SectionKind> = Extract<Section, { readonly kind: K }>

export interface DetailDefinition<F extends string> {
  /** Fields beside the title, without empty values and flags that are off. */
  readonly tags?: readonly F[]
  readonly sections: readonly Section<F>[]
}

export interface Detail {
  readonly tags: readonly string[]
  readonly sections: readonly Section[]
  /** Takes the whole page; else it is a panel beside the list. */
  readonly isPage: boolean
}

/** Hidden on the record’s own page. */
export const openingActions: readonly string[] = ['open', 'details']
