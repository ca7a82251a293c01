import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { type Resource, textKey } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { nextSort, toggleMark } from '@qd/core/view'
import { type ComponentProps, memo, type ReactElement, type ReactNode, type RefObject, useMemo, useRef } from 'react'
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
import type { OpenRowMenu } from '../offers/RowMenu.tsx'
import { RowMenuButton } from '../offers/RowMenuButton.tsx'
import { changeMarks, type ListState } from '../state/list-state.ts'
import { page$ } from '../state/page.ts'
import { useTexts } from '../state/texts.ts'
import { Icon } from '../ui/drawings/Icon.tsx'
import { FocusBridge, type MoveFocus } from '../ui/FocusBridge.tsx'
import { Checkbox } from '../ui/inputs/Checkbox.tsx'
import * as css from '../ui/Table.css.ts'
import { markWidth, type Placed } from './columns.ts'

/** What a table draws: ids only; cells follow their own values. What does not change must be the same object: a new one makes all rows anew. */
export interface ListTableProps {
  resource: Resource
  list$: Observable<ListState>
  ids: readonly number[]
  columns: readonly Placed[]
  /** px; tokens.md 4. */
  rowHeight: number
  onOpen: (id: number) => void
  /** Marks everything that the filter lets through, or takes these marks. */
  onMarkAll: () => void
  /** Opens the menu of a row. */
  onMenu: (menu: OpenRowMenu) => void
  /** Given the function that moves the keyboard's focus to a row. */
  move: RefObject<MoveFocus | null>
}

/** px of the row of column names. */
export const headHeight = 28

/** A list as a virtualised table. */
export const ListTable = memo(function ListTable(props: ListTableProps) {
  const { resource, list$, ids, rowHeight, onOpen, onMarkAll } = props
  const { say } = useTexts()
  const sort = useValue(list$.sort)
  const marks = useValue(list$.marks)
  const head = useHead(props)
  const body = useBody(props)
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight, headingHeight: headHeight }}>
      <Table
        className={css.table}
        aria-label={say(textKey.many(resource.name))}
        selectionMode="multiple"
        selectionBehavior="toggle"
        escapeKeyBehavior="none"
        selectedKeys={marks}
        onSelectionChange={(keys) => {
          if (keys === 'all') return onMarkAll()
          const listed = new Set(ids)
          const hidden = [...marks].filter((id) => !listed.has(id))
          changeMarks(list$, () => new Set([...hidden, ...([...keys] as number[])]))
        }}
        sortDescriptor={{ column: sort.field, direction: sort.order === 'asc' ? 'ascending' : 'descending' }}
        onSortChange={({ column }) => list$.sort.set(nextSort(resource, list$.sort.peek(), String(column)))}
        onRowAction={(key) => onOpen(Number(key))}
      >
        {head}
        {body}
      </Table>
    </Virtualizer>
  )
})

function useHead({ resource, list$, ids, columns, move, onMarkAll }: ListTableProps): ReactNode {
  const { translator } = useTexts()
  return useMemo(
    () => (
      <TableHeader className={css.head}>
        <Column id="mark" width={markWidth} minWidth={markWidth} className={`${css.column} ${css.edge}`}>
          <FocusBridge move={move} />
          <MarkAll list$={list$} ids={ids} onChange={onMarkAll} />
        </Column>
        {columns.map((column) => (
          <Column
            key={column.field}
            id={column.field}
            width={column.width}
            minWidth={column.width}
            isRowHeader={column.field === resource.title}
            allowsSorting={column.kind !== 'trend' && column.kind !== 'days'}
            className={`${css.column} ${column.field === resource.title ? css.titleColumn : ''}`}
            {...marksOf(column)}
          >
            <span className={css.columnText} title={headText(translator, column)}>
              {headText(translator, column)}
            </span>
            {column.order !== null && <Icon name={column.order === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />}
          </Column>
        ))}
      </TableHeader>
    ),
    [resource, list$, ids, columns, move, onMarkAll, translator],
  )
}

function headText({ t, say }: Translator, { label, unit, kind }: Placed): string {
  if (kind === 'days') return t('ui.days.head', { days: say(label) })
  return unit === null ? say(label) : `${say(label)} ${say(unit)}`
}

/**
 * The values of a row are one cell to react-aria, whose cells cost a third of a millisecond each at every key; to the reader each is a
 * cell of its own. Focus stays on rows, so this one takes none.
 */
function valuesCell({
  role: _role,
  tabIndex: _tabIndex,
  'aria-colspan': _span,
  'aria-colindex': _index,
  ...props
}: ComponentProps<'div'>): ReactElement {
  return <div {...props} className={css.values} />
}

function useBody({ resource, list$, ids, columns, onMenu }: ListTableProps): ReactNode {
  const items = useItems(ids)
  return useMemo(() => {
    const live = columns.filter((column) => column.live)
    const liveWidth = live.reduce((sum, { width }) => sum + width, 0)
    return (
      <TableBody items={items} dependencies={[columns]}>
        {({ id }) => (
          <Row id={id} className={css.row} textValue={`#${id}`}>
            <AriaCell className={`${css.cell} ${css.edge}`}>
              <MarkBox resource={resource} id={id} list$={list$} />
            </AriaCell>
            <AriaCell colSpan={columns.length} render={(props) => valuesCell(props as ComponentProps<'div'>)}>
              {columns.map((column, index) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take it; the linter does not see which is given
                <div
                  key={column.field}
                  role={column.field === resource.title ? 'rowheader' : 'gridcell'}
                  aria-colindex={index + 2}
                  className={`${css.cell} ${column.field === resource.title ? css.titleCell : ''}`}
                  style={{ width: column.width }}
                  {...marksOf(column)}
                >
                  {column.field === resource.title ? (
                    <TitleCell resource={resource} id={id} />
                  ) : (
                    <Cell resource={resource} id={id} column={column} />
                  )}
                  {column.field === live[0]?.field && (
                    <span className={css.across} style={{ width: liveWidth - 8 }}>
                      <Absence resource={resource} id={id} />
                    </span>
                  )}
                </div>
              ))}
              <div {...cellAt(columns.length + 2)} className={css.menuCell}>
                <RowMenuButton id={id} onMenu={onMenu} />
              </div>
            </AriaCell>
          </Row>
        )}
      </TableBody>
    )
  }, [items, resource, columns, list$, onMenu])
}

/** A cell for assistive technology; focus stays on rows, so it takes none. */
const cellAt = (place: number) => ({ role: 'gridcell', 'aria-colindex': place })

const marksOf = ({ numeric, isLast, isApart }: Placed) => ({
  ...(numeric ? { 'data-numeric': true } : {}),
  ...(isLast ? { 'data-last': true } : {}),
  ...(isApart ? { 'data-apart': true } : {}),
})

/** The box above the others: marks all listed rows, or takes their marks. */
function MarkAll({
  list$,
  ids,
  onChange,
}: {
  list$: Observable<ListState>
  ids: readonly number[]
  onChange: () => void
}) {
  const { t } = useTexts()
  const marked = useValue(() => {
    const marks = list$.marks.get()
    return ids.filter((id) => marks.has(id)).length
  })
  return (
    <Checkbox
      label={t('ui.list.markAll')}
      value={marked === ids.length}
      isMixed={marked > 0 && marked < ids.length}
      onChange={onChange}
    />
  )
}

/** The box that marks one row, which also knows whether the row's panel is open; drawn again only when that changes. */
function MarkBox({ resource, id, list$ }: { resource: Resource; id: number; list$: Observable<ListState> }) {
  const { t } = useTexts()
  const isMarked = useValue(() => list$.marks.get().has(id))
  const isOpen = useValue(() => page$.open.get() === id)
  const title = useCell(resource, id, resource.title, false)
  return (
    <span data-open={isOpen || undefined}>
      <Checkbox
        label={t('ui.list.mark', { name: title?.text || `#${id}` })}
        value={isMarked}
        onChange={() => changeMarks(list$, (marks) => toggleMark(marks, id))}
      />
    </span>
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
