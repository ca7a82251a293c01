import { useValue } from '@legendapp/state/react'
import type { FieldKind, Resource } from '@qd/core/define'
import { type Column, columnsFor, type ListModel, type Table } from '@qd/core/view'
import { useMemo } from 'react'
import { GridList, GridListItem, ListLayout, Virtualizer } from 'react-aria-components'
import type { OpenRowMenu } from '../../act/action-items/RowMenu.tsx'
import { RowMenuButton } from '../../act/action-items/RowMenuButton.tsx'
import { useListValue } from '../../base/state/list-state.ts'
import { view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Absence, Cell, drawCell, TitleCell } from '../fields/Cell.tsx'
import { useAbsence, useCell } from '../fields/cells.ts'
import { switchOf } from '../fields/SwitchCell.tsx'
import * as css from './ListCards.css.ts'

const heights = { plain: 62, withDays: 88 }

const meterCount = 3

function planCard(resource: Resource) {
  const columns = columnsFor(resource, 'wide', { view }).filter(
    ({ field }) => field !== resource.title && field !== resource.state?.field,
  )
  const first = (...kinds: FieldKind[]) =>
    kinds.flatMap((kind) => columns.filter((column) => column.kind === kind)).at(0) ?? null
  const isSwitch = ({ field }: Column) => switchOf(resource.fields[field]) !== null
  const numbers = columns.filter(({ kind }) => kind === 'number')
  const reading = first('reading')
  const days = first('days')
  const ranked = resource.host && columns.find(({ field, numeric }) => numeric && field === resource.sort.field)
  const meters = columns.filter(({ kind }) => kind === 'percent').slice(0, meterCount)
  // Meters leave no room below for the host of a record.
  const host = resource.host && meters.length > 0 ? first('ref') : null
  return {
    /** At the right of the title: where, what ranks records of hosts, how long, when or how fast. */
    end: host ?? (days && numbers.at(-1)) ?? columns.find(isSwitch) ?? ranked ?? first('duration', 'instant'),
    meters,
    days,
    /** Last line without meters: subject, host or targets, and result or amount. */
    below: (reading || resource.host
      ? [first('ref'), first('bytes'), reading]
      : [first('rules', 'targets', 'refs', 'schedule', 'text', 'address')]
    ).filter((column) => column !== null),
    state: (days && numbers[0]) ?? first('choice'),
  }
}

/** A virtualized list of cards for phones, from the table’s columns. */
export function ListCards({
  resource,
  list,
  table,
  onOpen,
  onMenu,
}: {
  resource: Resource
  list: ListModel
  table: Table
  onOpen: (id: number) => void
  onMenu: (menu: OpenRowMenu) => void
}) {
  const { say } = useTexts()
  const marks = useListValue(list, ({ marks }) => marks)
  const fields = useValue(() =>
    columnsFor(resource, 'wide', { view })
      .map(({ field }) => field)
      .join(),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns by their fields, so that cards are not drawn again
  const plan = useMemo(() => planCard(resource), [resource, fields])
  const key = table.ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids by value, so that the same list is not made again
  const items = useMemo(() => table.ids.map((id) => ({ id })), [key])
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: plan.days ? heights.withDays : heights.plain }}>
      <GridList
        className={css.cards}
        aria-label={say(`resources.${resource.name}.many`)}
        items={items}
        selectionMode="multiple"
        selectionBehavior="toggle"
        escapeKeyBehavior="none"
        disallowTypeAhead
        selectedKeys={marks}
        onSelectionChange={(keys) => {
          const listed = new Set(table.ids)
          const hidden = [...marks].filter((id) => !listed.has(id))
          list.setMarks([...hidden, ...(keys === 'all' ? table.ids : ([...keys] as number[]))])
        }}
        onAction={(id) => onOpen(Number(id))}
      >
        {({ id }) => (
          <GridListItem id={id} textValue={`#${id}`} className={css.card}>
            <Card resource={resource} id={id} plan={plan} onMenu={onMenu} />
          </GridListItem>
        )}
      </GridList>
    </Virtualizer>
  )
}

function Card({
  resource,
  id,
  plan,
  onMenu,
}: {
  resource: Resource
  id: number
  plan: ReturnType<typeof planCard>
  onMenu: (menu: OpenRowMenu) => void
}) {
  const { say } = useTexts()
  const isAbsent = useAbsence(resource, id)
  return (
    <>
      <span className={css.line}>
        <span className={css.title}>
          <TitleCell resource={resource} id={id} />
        </span>
        {plan.end && !(isAbsent && plan.end.live) && (
          <span className={css.end}>
            <Named resource={resource} id={id} column={plan.end} />
          </span>
        )}
        <RowMenuButton id={id} always onMenu={onMenu} />
      </span>
      {isAbsent && (
        <span className={css.below}>
          <Absence resource={resource} id={id} className={css.long} />
        </span>
      )}
      {!isAbsent && plan.meters.length > 0 && (
        <span className={css.meters}>
          {plan.meters.map((column) => (
            <Cell key={column.field} resource={resource} id={id} column={column} label={say(column.short)} />
          ))}
        </span>
      )}
      {plan.days && (
        <span className={css.days}>
          <Cell resource={resource} id={id} column={plan.days} />
        </span>
      )}
      {plan.meters.length === 0 && (
        <span className={css.line}>
          <span className={css.below}>
            {plan.below.map((column) => (
              <Named key={column.field} resource={resource} id={id} column={column} />
            ))}
          </span>
          {plan.state && (
            <span className={css.state}>
              <Named resource={resource} id={id} column={plan.state} />
            </span>
          )}
        </span>
      )}
    </>
  )
}

const speaking: readonly FieldKind[] = ['targets', 'rules', 'reading', 'percent', 'days']

function Named({ resource, id, column }: { resource: Resource; id: number; column: Column }) {
  const { say } = useTexts()
  const definition = resource.fields[column.field]
  const isState = definition?.kind === 'choice' && definition.tones !== undefined
  const speaks = isState || speaking.includes(column.kind) || switchOf(definition) !== null
  const shown = useCell(resource, id, column.field)
  const value = drawCell({ resource, id, column, shown })
  // No reading, so no label either.
  if (column.kind === 'reading' && shown?.sort === null) return null
  if (speaks) return <span className={css.named}>{value}</span>
  return (
    <span className={`${css.named} ${css.withWhat}`} title={shown?.full ?? shown?.text}>
      <span className={css.what} data-what title={say(column.label)}>
        {say(column.short)}
      </span>
      {value}
    </span>
  )
}
