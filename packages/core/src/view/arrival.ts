import { type Action, type AnyRow, deriving, holds, type Resource, type View } from '../define/index.ts'

export type Arrival = (view: View) => readonly AnyRow[]

/**
 * Watches for the records that an action `brings`: these rows if it ran on some, else unknown ones. A row that is there already counts once one of
 * the fields that the action `renews` changed; one that it ran on also once it was away.
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
  const wanted = new Set(rows.map(({ id }) => id))
  const isForRows = wanted.size > 0
  const there = isForRows ? rows.filter((row) => isHere(row, view)) : view.all(name)
  const stayed = new Map(there.map((row) => [row.id, renewed(row, view)]))
  return (now) =>
    now.all(name).filter((row) => {
      if (isForRows && !wanted.has(row.id)) return false
      const isHereNow = isHere(row, now)
      const wasAway = isForRows && !isHereNow
      if (wasAway || (stayed.has(row.id) && stayed.get(row.id) !== renewed(row, now))) stayed.delete(row.id)
      return isHereNow && !stayed.has(row.id)
    })
}
