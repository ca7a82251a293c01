import { useValue } from '@legendapp/state/react'
import { type AnyRow, fieldValue, type Resource } from '@qd/core/define'
import { presentCell, type RowStanding, rowStanding } from '@qd/core/view'
import { useMemo } from 'react'
import { records, view } from '../state/stores.ts'
import { surface } from '../state/surface.ts'
import type { Shown } from './Value.tsx'

/** Points that a row's trend draws. */
const trendPoints = 120

/** Room above the highest point of a trend with a scale of its own. */
const headroom = 1.25

/** Tracks the result of `read` and redraws the caller only when its JSON differs, because every live figure creates new values. */
export function useSame<Value>(read: () => Value): Value {
  const json = useValue(() => JSON.stringify(read()))
  return useMemo(() => JSON.parse(json) as Value, [json])
}

/** A value computed from a record, updated while the record changes; null while the record is not known. `read` must be tracked. */
export function useOfRow<Value>(resource: Resource, id: number, read: (row: AnyRow) => Value): Value | null {
  return useSame(() => {
    const row = records.row$(resource.name, id).get()
    return row ? read(row) : null
  })
}

/** One value of a record, followed. Null while the record is not known. */
export function useCell(resource: Resource, id: number, field: string): Shown | null {
  return useSame(() => {
    const row = records.row$(resource.name, id).get()
    if (!row) return null
    const shown: Shown = presentCell(surface(), { resource, row, field })
    const definition = resource.fields[field]
    if (definition?.kind !== 'trend' && definition?.kind !== 'days') return shown
    const all = fieldValue(resource, row, field, view) as readonly number[]
    const points = all.slice(-trendPoints).map((point) => Math.round(point * 100) / 100)
    return definition.kind === 'trend' && definition.own
      ? { ...shown, points, top: Math.max(...points, 0) * headroom }
      : { ...shown, points }
  })
}

/** How a record stands, followed; null for a resource without states. */
export function useStanding(resource: Resource, id: number): RowStanding | null {
  return useSame(() => {
    const row = records.row$(resource.name, id).get()
    return row ? rowStanding(surface(), resource, row) : null
  })
}

/** Whether a record has no live figures now, followed: a sentence says why. */
export function useAbsence(resource: Resource, id: number): boolean {
  return useValue(() => {
    const row = records.row$(resource.name, id).get()
    return row !== undefined && Boolean(rowStanding(surface(), resource, row)?.absence)
  })
}
