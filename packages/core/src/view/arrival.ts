import { type Action, type AnyRow, deriving, holds, type Resource, type View } from '../define/index.ts'

export type Arrival = (view: View) => readonly AnyRow[]

/**
 * Watches for the records that an action `brings`: these rows if it ran on some, else unknown ones. A row that is there already counts once it was
 * away, or one of the fields that it `renews` changed.
 */
export function createArrival(
  { brings, resource: name }: Action,
  { resource, rows, view }: { resource: Resource; rows: readonly AnyRow[]; view: View },
): Arrival {
  const isHere = (row: AnyRow, now: View) => brings !== null && holds(brings.when, deriving(resource, row, now))
  const renewed = (row: AnyRow, now: View) => {
    const values = deriving(resource, row, now) as Readonly<Record<string, unknown>>
    return JSON.stringify(brings?.renews?.map((field) => values[field]))
  }
  const known = new Set(view.all(name).map(({ id }) => id))
  const wanted = new Set(rows.map(({ id }) => id))
  const stayed = new Map(rows.filter((row) => isHere(row, view)).map((row) => [row.id, renewed(row, view)]))
  return (now) =>
    now.all(name).filter((row) => {
      if (rows.length > 0 ? !wanted.has(row.id) : known.has(row.id)) return false
      const isHereNow = isHere(row, now)
      if (!isHereNow || (stayed.has(row.id) && stayed.get(row.id) !== renewed(row, now))) stayed.delete(row.id)
      return isHereNow && !stayed.has(row.id)
    })
}
