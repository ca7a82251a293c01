import type { Resource } from '@qd/core/define'
import type { ListModel } from '@qd/core/view'
import { Box } from 'ink'
import { useMemo } from 'react'
import { useArea, useSame, useScreenStyle, useTick, useUi } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import type { Line } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { paneRows } from '../views/detail-pane.ts'
import { filterLine } from './filter-line.ts'
import { ListPane } from './ListPane.tsx'
import { ListRow } from './ListRow.tsx'
import { headLine, layColumns } from './list-columns.ts'
import { emptyLines, marksAndFreshness } from './list-notes.ts'
import type { PaneState } from './list-pane.ts'
import { isCompact, listRoom } from './list-room.ts'
import type { Listed } from './list-table.ts'

export interface ListShown extends Listed {
  readonly list: ListModel
  readonly top: number
  readonly input: TextInput | null
  readonly pane: PaneState
  readonly choices: readonly string[]
  /** Who answered, of records of hosts. */
  readonly hosts: Line | null
  /** What stands in the place of rows while no hosts are chosen, or none of them answered. */
  readonly asks: readonly Line[] | null
}

/** Filter, head, rows or their substitute, and the pane (looks/tui.md "List"). `show` updates the state for an area. */
export function List({ resource, show }: { resource: Resource; show(area: Area): ListShown }) {
  useTick()
  const ui = useUi()
  const { ascii } = useScreenStyle()
  const area = useArea()
  const { list, top, table, surface, around, longestTitle, input, pane, choices, hosts, asks } = show(area)
  const { translator } = ui.workspace
  const { columns } = area
  const compact = isCompact(area)
  // Columns are new objects per table; only changed ones may re-render rows.
  const fields = useSame(table.columns.map((column) => JSON.stringify(column)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are what their texts say
  const laid = useMemo(
    () => layColumns(table.columns, { resource, translator, width: columns, ascii, compact, longestTitle }),
    [fields, resource, translator, columns, ascii, compact, longestTitle],
  )
  const room = listRoom(area, resource)
  const isOld = ui.workspace.isOld()
  const ids = table.ids.slice(top, top + room)
  const { filter, cursor } = list
  const right = marksAndFreshness(ui, resource, table, columns)
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      <Row line={filterLine({ translator, input, filter, problem: table.problem, choices, columns }, right)} />
      {hosts && <Row line={hosts} />}
      {!compact && <Row line={headLine(laid)} />}
      <Box flexDirection="column" height={room} flexShrink={0} overflowY="hidden">
        {ids.map((id, place) => (
          <ListRow
            key={place}
            {...{ resource, id, surface, around, columns: laid, width: columns, compact, isOld }}
            isFocused={id === cursor}
            isMarked={list.marks.has(id)}
          />
        ))}
        {ids.length === 0 && <Rows lines={asks ?? emptyLines(ui, resource, { filter, table, columns })} />}
      </Box>
      {cursor !== null && paneRows(area) > 0 && (
        <ListPane
          {...{ resource, id: cursor, surface, columns, rows: paneRows(area), pane }}
          isFocused={pane.focused}
          top={pane.top}
        />
      )}
    </Box>
  )
}
