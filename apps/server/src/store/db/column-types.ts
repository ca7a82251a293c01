import type { ColumnType, Generated } from 'kysely'

/** An id the database gives; never reused. */
export type Id = Generated<number>
/** Epoch milliseconds. */
export type Millis = number
/** 0 or 1: neither engine gets booleans. */
export type Flag = number
/** JSON text. */
export type Json = string
/** Set once, never updated. */
export type Fixed<T> = ColumnType<T, T, never>

/** What every record has. */
export interface Stored {
  id: Id
  owner_id: number
  created_at: Fixed<Millis>
  updated_at: Millis
}
