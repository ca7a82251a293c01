import { useValue } from '@legendapp/state/react'
import { type Resource, textKey } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import type { ListModel, Sort } from '@qd/core/view'
import { type MouseEvent, memo, type ReactNode, type RefObject, useCallback, useMemo } from 'react'
import type { OpenRowMenu } from '../../act/action-items/RowMenu.tsx'
import { RowMenuButton } from '../../act/action-items/RowMenuButton.tsx'
import { useListValue } from '../../base/state/list-state.ts'
import { page$ } from '../../base/state/page.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Grid, GridRow, type MoveFocus, type RowPlace } from '../../ui/Grid.tsx'
import { Checkbox } from '../../ui/inputs/Checkbox.tsx'
import * as css from '../../ui/Table.css.ts'
import { drawAbsence, drawCell, drawTitle } from '../fields/Cell.tsx'
import { useRow } from '../fields/cells.ts'
import { markWidth, type Placed } from './columns.ts'

/** Ids only; cells follow their own values. Unchanged props must keep their identity, or all rows render. */
export interface ListTableProps {
  resource: Resource
  list: ListModel
  ids: readonly number[]
  columns: readonly Placed[]
  rowHeight: number
  onOpen: (id: number) => void
  onMarkAll: () => void
  onMenu: (menu: OpenRowMenu) => void
  move: RefObject<MoveFocus | null>
}

export const ListTable = memo(function ListTable(props: ListTableProps) {
  const { resource, list, ids, columns, rowHeight, onOpen, onMenu, move } = props
  const { say } = useTexts()
  const mark = useCallback(
    (id: number, isRange: boolean) => {
      list.focusOn(id)
      if (isRange) list.markRange()
      else list.mark()
    },
    [list],
  )
  const press = useCallback(
    (id: number, { shiftKey, ctrlKey, metaKey }: MouseEvent) => {
      if (shiftKey || ctrlKey || metaKey || list.marks.size > 0) mark(id, shiftKey)
      else onOpen(id)
    },
    [list, mark, onOpen],
  )
  const shape = useMemo(() => shapeOf(resource, columns), [resource, columns])
  const row = useCallback(
    ({ id, index, top, isStop }: RowPlace) => (
      <ListRow
        {...{ resource, list, shape, id, index, top, isStop, onMenu }}
        height={rowHeight}
        onMark={mark}
        onPress={press}
      />
    ),
    [resource, list, shape, rowHeight, onMenu, mark, press],
  )
  return (
    <Grid
      label={say(textKey.many(resource.name))}
      ids={ids}
      rowHeight={rowHeight}
      isMultiselectable
      head={useHead(props)}
      row={row}
      move={move}
    />
  )
})

function useHead({ resource, list, ids, columns, onMarkAll }: ListTableProps): ReactNode {
  const { translator } = useTexts()
  const sort = useListValue(list, ({ sort }) => sort)
  return useMemo(
    () => (
      <>
        <div {...columnHead} className={`${css.column} ${css.edge}`} style={{ width: markWidth }}>
          <MarkAll list={list} ids={ids} onChange={onMarkAll} />
        </div>
        {columns.map((column) => {
          const sorts = column.kind !== 'trend' && column.kind !== 'days'
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the menu of the order and its keys do the same
            // biome-ignore lint/a11y/noStaticElementInteractions: it is a column's head; the linter does not see the role
            <div
              key={column.field}
              {...columnHead}
              {...(sorts ? { 'data-allows-sorting': true, 'aria-sort': sortOf(sort, column.field) } : {})}
              className={`${css.column} ${column.field === resource.title ? css.titleColumn : ''}`}
              style={{ width: column.width }}
              onClick={() => sorts && list.sortBy(column.field)}
              {...marksOf(column)}
            >
              <span className={css.columnText} title={headText(translator, column)}>
                {headText(translator, column)}
              </span>
              {column.order !== null && <Icon name={column.order === 'asc' ? 'arrow-up' : 'arrow-down'} size={12} />}
            </div>
          )
        })}
      </>
    ),
    [resource, list, ids, columns, sort, onMarkAll, translator],
  )
}

const sortOf = (sort: Sort, field: string) =>
  sort.field !== field ? 'none' : sort.order === 'asc' ? 'ascending' : 'descending'

function headText({ say }: Translator, { label, unit }: Placed): string {
  return unit === null ? say(label) : `${say(label)} ${say(unit)}`
}

/** Shared by all rows, so that a row creates none of it. */
function shapeOf(resource: Resource, columns: readonly Placed[]) {
  const isTitle = ({ field }: Placed) => field === resource.title
  return {
    columns,
    cells: columns.map((column) => ({
      role: isTitle(column) ? 'rowheader' : 'gridcell',
      className: isTitle(column) ? `${css.cell} ${css.titleCell}` : css.cell,
      style: { width: column.width },
      ...marksOf(column),
    })),
    /** Index of the title and of the first column replaced by a sentence; -1 for none. */
    title: columns.findIndex(isTitle),
    firstLive: columns.findIndex(({ live }) => live),
    liveWidth: columns.reduce((sum, { live, width }) => sum + (live ? width : 0), 0),
  }
}

interface ListRowProps extends Pick<ListTableProps, 'resource' | 'list' | 'onMenu'>, RowPlace {
  shape: ReturnType<typeof shapeOf>
  height: number
  onMark: (id: number, isRange: boolean) => void
  onPress: (id: number, event: MouseEvent) => void
}

/** Follows its own selection and values, so that only changed rows of thousands render. Plain elements where a cell has no behavior. */
const ListRow = memo(function ListRow(props: ListRowProps) {
  const { resource, list, shape, id, index, top, isStop, height, onMark, onPress, onMenu } = props
  const { t } = useTexts()
  const isMarked = useListValue(list, ({ marks }) => marks.has(id))
  const isOpen = useValue(() => page$.open.get() === id)
  const shown = useRow(resource, id, shape.columns)
  const title = shown?.cells[shape.title]
  return (
    <GridRow
      place={{ id, index, top, isStop }}
      height={height}
      isSelected={isMarked}
      isOpen={isOpen}
      onPress={(event) => onPress(id, event)}
      onMark={() => onMark(id, false)}
    >
      <div {...markCell}>
        <Checkbox
          label={t('ui.list.mark', { name: title?.text || `#${id}` })}
          value={isMarked}
          onChange={(_value, isRange) => onMark(id, isRange)}
        />
      </div>
      {shape.columns.map((column, place) => (
        <div key={column.field} {...shape.cells[place]}>
          {place === shape.title
            ? title && drawTitle(id, title, shown?.status ?? null)
            : shown && drawCell({ resource, id, column, shown: shown.cells[place] ?? null })}
          {place === shape.firstLive && shown?.status?.absence && (
            <span className={css.across} style={{ width: shape.liveWidth - 8 }}>
              {drawAbsence(shown.status)}
            </span>
          )}
        </div>
      ))}
      <div {...menuCell}>
        <RowMenuButton id={id} onMenu={onMenu} />
      </div>
    </GridRow>
  )
})

/** Focus stays on rows, so cells take none. */
const markCell = { role: 'gridcell', className: `${css.cell} ${css.edge}`, style: { width: markWidth } }
const menuCell = { role: 'gridcell', className: css.menuCell }
const columnHead = { role: 'columnheader' }

const marksOf = ({ numeric, isLast, isApart }: Placed) => ({
  ...(numeric ? { 'data-numeric': true } : {}),
  ...(isLast ? { 'data-last': true } : {}),
  ...(isApart ? { 'data-apart': true } : {}),
})

function MarkAll({ list, ids, onChange }: { list: ListModel; ids: readonly number[]; onChange: () => void }) {
  const { t } = useTexts()
  const marks = useListValue(list, ({ marks }) => marks)
  const marked = marks.size === 0 ? 0 : ids.filter((id) => marks.has(id)).length
  return (
    <Checkbox
      label={t('ui.list.markAll')}
      value={marked === ids.length}
      isMixed={marked > 0 && marked < ids.length}
      onChange={onChange}
    />
  )
}
