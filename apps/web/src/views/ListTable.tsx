import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import type { Resource } from '@qd/core/define'
import { nextSort, type Table as TableModel, toggleAll, toggleMark } from '@qd/core/view'
import { type RefObject, useMemo, useRef } from 'react'
import {
  Cell as AriaCell,
  Column,
  Row,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  Virtualizer,
} from 'react-aria-components'
import { Absence, Cell, TitleCell } from '../fields/Cell.tsx'
import { useCell } from '../fields/cells.ts'
import { useTexts } from '../texts.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Icon } from '../ui/Icon.tsx'
import { markWidth, type Placed } from './columns.ts'
import { FocusBridge, type MoveFocus } from './FocusBridge.tsx'
import * as css from './ListTable.css.ts'
import { changeMarks, type ListState } from './list-state.ts'

/** What a table draws: ids only; cells follow their own values. */
export interface ListTableProps {
  resource: Resource
  list$: Observable<ListState>
  table: TableModel
  columns: readonly Placed[]
  /** px; tokens.md 4. */
  rowHeight: number
  onOpen: (id: number) => void
  /** Given the function that moves the keyboard's focus to a row. */
  move: RefObject<MoveFocus | null>
}

const headHeight = 28

/** A list as a virtualised table. */
export function ListTable({ resource, list$, table, columns, rowHeight, onOpen, move }: ListTableProps) {
  const { t, say } = useTexts()
  const { sort, marks } = useValue(list$)
  const items = useItems(table.ids)
  const liveWidth = columns.filter(({ live }) => live).reduce((sum, { width }) => sum + width, 0)
  const firstLive = columns.find(({ live }) => live)?.field
  const shape = columns.map(({ field, width }) => `${field}:${width}`).join()
  const label = say(`resources.${resource.name}.many`)
  const body = useMemo(
    () => (
      <TableBody items={items} dependencies={[shape]}>
        {({ id }) => (
          <Row id={id} className={css.row} textValue={`#${id}`}>
            <AriaCell className={`${css.cell} ${css.edge}`}>
              <MarkBox resource={resource} id={id} list$={list$} />
            </AriaCell>
            {columns.map((column) => (
              <AriaCell
                key={column.field}
                className={`${css.cell} ${column.field === resource.title ? css.titleCell : ''}`}
                {...marksOf(column)}
              >
                {column.field === resource.title ? (
                  <TitleCell resource={resource} id={id} />
                ) : (
                  <Cell resource={resource} id={id} column={column} />
                )}
                {column.field === firstLive && (
                  <span className={css.across} style={{ width: liveWidth - 8 }}>
                    <Absence resource={resource} id={id} />
                  </span>
                )}
              </AriaCell>
            ))}
          </Row>
        )}
      </TableBody>
    ),
    [items, shape, resource, columns, firstLive, liveWidth, list$],
  )
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight, headingHeight: headHeight }}>
      <Table
        className={css.table}
        aria-label={label}
        selectionMode="multiple"
        selectionBehavior="toggle"
        escapeKeyBehavior="none"
        selectedKeys={marks}
        onSelectionChange={(keys) => {
          const hidden = [...marks].filter((id) => !table.ids.includes(id))
          list$.marks.set(new Set([...hidden, ...(keys === 'all' ? table.ids : ([...keys] as number[]))]))
        }}
        sortDescriptor={{ column: sort.field, direction: sort.order === 'asc' ? 'ascending' : 'descending' }}
        onSortChange={({ column }) => list$.sort.set(nextSort(resource, list$.sort.peek(), String(column)))}
        onRowAction={(key) => onOpen(Number(key))}
      >
        <TableHeader className={css.head}>
          <Column id="mark" width={markWidth} minWidth={markWidth} className={`${css.column} ${css.edge}`}>
            <FocusBridge move={move} />
            <Checkbox
              label={t('ui.list.markAll')}
              value={table.ids.every((id) => marks.has(id))}
              isMixed={table.marked > table.hiddenMarks && !table.ids.every((id) => marks.has(id))}
              onChange={() => changeMarks(list$, (now) => toggleAll(now, table.ids))}
            />
          </Column>
          {columns.map((column) => (
            <Column
              key={column.field}
              id={column.field}
              width={column.width}
              minWidth={column.width}
              isRowHeader={column.field === resource.title}
              allowsSorting={column.kind !== 'trend'}
              className={`${css.column} ${column.field === resource.title ? css.titleColumn : ''}`}
              {...marksOf(column)}
            >
              {column.unit === null ? say(column.label) : `${say(column.label)} ${say(column.unit)}`}
              {column.order !== null && <Icon name={column.order === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />}
            </Column>
          ))}
        </TableHeader>
        {body}
      </Table>
    </Virtualizer>
  )
}

const marksOf = ({ numeric, isLast, isApart }: Placed) => ({
  ...(numeric ? { 'data-numeric': true } : {}),
  ...(isLast ? { 'data-last': true } : {}),
  ...(isApart ? { 'data-apart': true } : {}),
})

/** The box that marks one row; drawn again only when this row's mark changes. */
function MarkBox({ resource, id, list$ }: { resource: Resource; id: number; list$: Observable<ListState> }) {
  const { t } = useTexts()
  const isMarked = useValue(() => list$.marks.get().has(id))
  const title = useCell(resource, id, resource.title, false)
  return (
    <Checkbox
      label={t('ui.list.mark', { name: title?.text || `#${id}` })}
      value={isMarked}
      onChange={() => changeMarks(list$, (marks) => toggleMark(marks, id))}
    />
  )
}

interface Item {
  id: number
}

/** One lasting object per id, and the same list while the order is the same: else every row would be made again. */
function useItems(ids: readonly number[]): readonly Item[] {
  const known = useRef({ byId: new Map<number, Item>(), items: [] as readonly Item[] })
  const { byId, items } = known.current
  if (items.length === ids.length && items.every(({ id }, index) => id === ids[index])) return items
  known.current.items = ids.map((id) => {
    const item = byId.get(id) ?? { id }
    byId.set(id, item)
    return item
  })
  return known.current.items
}
