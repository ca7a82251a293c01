import type { AnyRow, BadRow, HostState } from '../define/index.ts'

/** How one host stands in a reading. */
export interface HostEntry {
  readonly server_id: number
  readonly state: HostState
  /** When it was read, RFC 3339; null if it wasn’t. */
  readonly at: string | null
  /** What the host said of a failure; empty for nothing. */
  readonly error: string
  /** Records beyond the maximum, which were left out. */
  readonly left: number
}

/** A list in the server’s order. Invalid rows are reported apart. */
export interface Listed {
  rows: readonly AnyRow[]
  bad: readonly BadRow[]
  /** Number of matching records regardless of the limit; null if the list is complete. */
  total: number | null
  /** Totals of the whole list regardless of the query; null if the list is complete or the server doesn’t say. */
  pages: { readonly all: number; readonly counts: Readonly<Record<string, number>> } | null
  /** How each host stands whose records these are; absent for records of the database. */
  hosts?: readonly HostEntry[]
}
