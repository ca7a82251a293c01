import type { ResourceName } from './names.ts'

/** Values in equal steps of time, oldest first; null where none is known. */
export type Trend = readonly (number | null)[]

/** A record of any resource. Wire names stay wire names. */
export interface AnyRow {
  readonly id: number
  readonly [field: string]: unknown
}

/** What derived fields and previews may look at besides their own row. Pure reads. */
export interface View {
  now: number
  find(resource: ResourceName, id: number): AnyRow | undefined
  /** The text a person knows a record by; null if the record is not known here. */
  title(resource: ResourceName, id: number): string | null
  all(resource: ResourceName): readonly AnyRow[]
  /** Ids of the records of `resource` whose list field names this id, e.g. the groups of a server. */
  referring(resource: ResourceName, field: string, id: number): readonly number[]
  /** The last minutes of one metric of a record in equal steps up to now, oldest first; null where nothing was reported, empty if nothing is known. */
  trend(resource: ResourceName, id: number, figure: string): Trend
  /** Whether the server has this capability; absent where it is known to have all. */
  supports?(capability: string): boolean
}
