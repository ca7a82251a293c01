import { useValue } from '@legendapp/state/react'
import { same } from '@qd/core/actions'
import { type AnyRow, fieldValue, type Resource, type Trend } from '@qd/core/define'
import { type Column, presentCell, type RowStatus, rowStatus, type Surface } from '@qd/core/view'
import { useRef } from 'react'
import { records, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import type { Shown } from './Value.tsx'

const headroom = 1.25

/** Tracks `read` and renders the caller only when the result differs by value, because every live figure creates new objects. */
export function useSame<Value>(read: () => Value): Value {
  const kept = useRef<{ value: Value; version: number } | null>(null)
  useValue(() => {
    const value = read()
    const before = kept.current
    if (!before || !same(before.value, value)) kept.current = { value, version: (before?.version ?? 0) + 1 }
    return kept.current!.version
  })
  return kept.current!.value
}

/** A value computed from a record; null while the record is unknown. `read` must be tracked. */
export function useOfRow<Value>(resource: Resource, id: number, read: (row: AnyRow) => Value): Value | null {
  return useSame(() => {
    const row = records.row$(resource.name, id).get()
    return row ? read(row) : null
  })
}

export function useCell(resource: Resource, id: number, field: string): Shown | null {
  return useOfRow(resource, id, (row) => shownOf(surface(), resource, row, field))
}

const shownOf = (on: Surface, resource: Resource, row: AnyRow, field: string): Shown =>
  withPoints(presentCell(on, { resource, row, field }), resource, row, field)

export function withPoints(shown: Shown, resource: Resource, row: AnyRow, field: string): Shown {
  const definition = resource.fields[field]
  const read = () => fieldValue(resource, row, field, view)
  if (definition?.kind === 'days') return { ...shown, days: read() as readonly number[] }
  if (definition?.kind !== 'trend') return shown
  const points = (read() as Trend).map((point) => point && Math.round(point * 100) / 100)
  return definition.own
    ? { ...shown, points, top: Math.max(0, ...points.map(Number)) * headroom }
    : { ...shown, points }
}

/** Values by column; null where a sentence replaces the live figures. */
export interface RowShown {
  status: RowStatus | null
  cells: readonly (Shown | null)[]
}

/** All values of a row in one observer: one per cell costs more than rendering. Null while the record is unknown. */
export function useRow(
  resource: Resource,
  id: number,
  columns: readonly Pick<Column, 'field' | 'live'>[],
): RowShown | null {
  return useOfRow(resource, id, (row) => {
    const on = surface()
    const status = rowStatus(on, resource, row)
    const isAbsent = Boolean(status?.absence)
    return {
      status,
      cells: columns.map(({ field, live }) => (live && isAbsent ? null : shownOf(on, resource, row, field))),
    }
  })
}

export function useRowStatus(resource: Resource, id: number): RowStatus | null {
  return useOfRow(resource, id, (row) => rowStatus(surface(), resource, row))
}

export function useAbsence(resource: Resource, id: number): boolean {
  return useValue(() => {
    const row = records.row$(resource.name, id).get()
    return row !== undefined && Boolean(rowStatus(surface(), resource, row)?.absence)
  })
}
