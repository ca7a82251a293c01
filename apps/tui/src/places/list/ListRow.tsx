import { fieldValue, type Resource } from '@qd/core/define'
import { rowStatus, type Surface } from '@qd/core/view'
import { memo, useMemo, useRef } from 'react'
import { useSame, useScreenStyle, useUi } from '../../screen/hooks.ts'
import { mutedLine } from '../../screen/terminal/line.ts'
import { Row } from '../../screen/ui/rows.tsx'
import type { LaidColumn } from './list-columns.ts'
import { rowLine } from './list-row.ts'

interface ListRowProps {
  readonly resource: Resource
  readonly id: number
  /** New identity when the record may have changed, because records are mutable. */
  readonly surface: Surface
  /** New identity when other data that rows depend on may have changed. */
  readonly around: unknown
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly compact: boolean
  readonly isFocused: boolean
  readonly isMarked: boolean
  readonly isOld: boolean
}

/** Re-renders when its values, state or `around` change, and each second only if it shows an age. */
export const ListRow = memo(({ id, isFocused, isMarked, isOld, around, ...request }: ListRowProps) => {
  const { resource, surface, columns, width, compact } = request
  const style = useScreenStyle()
  const row = useUi().workspace.records.peek(resource.name, id)
  const state = row && resource.state ? fieldValue(resource, row, resource.state.field, surface.view) : null
  const values = useSame(row ? [...Object.values(row), state] : [])
  const tellsTime = useRef(false)
  const moment = tellsTime.current ? surface : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row and the surface change in place, and these say when
  const line = useMemo(() => {
    if (!row) return []
    const status = rowStatus(surface, resource, row)
    const watched = watchTime(surface)
    const drawn = rowLine({
      ...request,
      surface: watched.surface,
      status,
      style,
      row,
      focused: isFocused,
      marked: isMarked,
    })
    tellsTime.current = watched.isTold() || status?.absence != null
    return drawn
  }, [values, moment, around, resource, style, columns, width, compact, isFocused, isMarked])
  return <Row line={isOld ? mutedLine(line) : line} />
})

/** A surface that records whether the time was read. */
function watchTime(surface: Surface): { surface: Surface; isTold(): boolean } {
  let isTold = false
  const view = {
    ...surface.view,
    get now() {
      isTold = true
      return surface.view.now
    },
  }
  return { surface: { ...surface, view }, isTold: () => isTold }
}
