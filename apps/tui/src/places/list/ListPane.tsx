import type { Resource } from '@qd/core/define'
import type { Surface } from '@qd/core/view'
import { Box } from 'ink'
import { memo } from 'react'
import { useDeferred, useUi } from '../../screen/hooks.ts'
import { withRoles } from '../../screen/terminal/line.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { paneLines } from '../views/detail-pane.ts'
import type { PaneState } from './list-pane.ts'

interface ListPaneProps {
  readonly resource: Resource
  readonly id: number
  readonly surface: Surface
  readonly columns: number
  readonly rows: number
  readonly pane: PaneState
  readonly isFocused: boolean
  readonly top: number
}

/** Lags a frame behind the focus, so that a key doesn't wait for it. */
export function ListPane(props: ListPaneProps) {
  return <Pane {...props} id={useDeferred(props.id)} />
}

const Pane = memo(({ resource, id, columns, rows, pane, isFocused }: ListPaneProps) => {
  const ui = useUi()
  const row = ui.workspace.records.peek(resource.name, id)
  if (!row) return <Box height={rows} flexShrink={0} />
  const [title = [], ...lines] = paneLines(ui, { resource, row, columns, rows, whole: isFocused })
  const top = pane.settle(id, lines.length - rows + 1)
  return (
    <Box flexDirection="column" height={rows} flexShrink={0} overflowY="hidden">
      <Row line={isFocused ? withRoles(title, 'accent') : title} />
      <Rows lines={lines.slice(top, top + rows - 1)} />
    </Box>
  )
})
