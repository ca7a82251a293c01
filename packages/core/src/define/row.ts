import type { ResourceName } from './names.ts'

/** Values in equal steps, oldest first; null if unknown. */
export type Trend = readonly (number | null)[]

/** Fields have their wire names. */
export interface AnyRow {
  readonly id: number
  readonly [field: string]: unknown
}

/** Read access for derived fields and previews. */
export interface View {
  now: number
  find(resource: ResourceName, id: number): AnyRow | undefined
  /** Null for an unknown record. */
  title(resource: ResourceName, id: number): string | null
  all(resource: ResourceName): readonly AnyRow[]
  /** IDs of the records that refer to this one by a list field, such as the groups of a server. */
  referring(resource: ResourceName, field: string, id: number): readonly number[]
  /** The last minutes of a metric; empty if unknown. */
  trend(resource: ResourceName, id: number, figure: string): Trend
  /** Absent if the server has every capability. */
  supports?(capability: string): boolean
}
