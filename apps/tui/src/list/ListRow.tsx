import type { Resource } from '@qd/core/define'
import type { Surface } from '@qd/core/view'
import { memo } from 'react'
import { useLook } from '../hooks/use-look.ts'
import { useUi } from '../hooks/use-ui.ts'
import { mutedLine } from '../terminal/line.ts'
import { Row } from '../ui/Row.tsx'
import type { LaidColumn } from './list-columns.ts'
import { rowLine } from './list-row.ts'

interface ListRowProps {
  readonly resource: Resource
  readonly id: number
  /** Another one whenever the record may say something else: records change in place. */
  readonly surface: Surface
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly compact: boolean
  readonly isFocused: boolean
  readonly isMarked: boolean
  /** What is shown is not of now. */
  readonly isOld: boolean
}

/** A record in its list. It is drawn when something that it shows may have changed. */
export const ListRow = memo(({ id, isFocused, isMarked, isOld, ...request }: ListRowProps) => {
  const look = useLook()
  const row = useUi().workspace.records.peek(request.resource.name, id)
  const line = row ? rowLine({ ...request, look, row, focused: isFocused, marked: isMarked }) : []
  return <Row line={isOld ? mutedLine(line) : line} />
})
