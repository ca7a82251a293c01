import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import * as css from './Table.css.ts'
import { revealRow, useVisibleRange } from './visible-range.ts'

export type MoveFocus = (id: number) => void

export const headHeight = 28
export interface RowPlace {
  id: number
  index: number
  top: number
  isStop: boolean
}

/** A virtualized table. All rows are `rowHeight` px high; the page’s commands call `move`. */
export interface GridProps {
  label: string
  ids: readonly number[]
  rowHeight: number
  isMultiselectable?: boolean
  head: ReactNode
  row: (place: RowPlace) => ReactNode
  move: RefObject<MoveFocus | null>
}

/** ARIA roles, because a native table can’t be virtualized. */
const roles = {
  grid: { role: 'grid' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
} as const

export function Grid({ label, ids, rowHeight, isMultiselectable, head, row, move }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { first, last, update } = useVisibleRange(scroller, rowHeight, ids.length)
  const [focused, setFocused] = useState<number | null>(null)
  const [wanted, setWanted] = useState<{ id: number } | null>(null)
  useEffect(() => {
    move.current = (id) => {
      setFocused(id)
      setWanted({ id })
    }
    return () => {
      move.current = null
    }
  }, [move])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish, when its row is drawn
  useLayoutEffect(() => {
    if (!wanted || !scroller.current) return
    revealRow(scroller.current, ids.indexOf(wanted.id), rowHeight, headHeight)
    scroller.current.querySelector<HTMLElement>(`[data-key="${wanted.id}"]`)?.focus({ preventScroll: true })
  }, [wanted])

  const before = useRef(ids)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only rows that change places take the focus out of sight
  useLayoutEffect(() => {
    const was = focused === null ? -1 : before.current.indexOf(focused)
    before.current = ids
    const element = scroller.current
    const row = element?.querySelector(`[data-key="${focused}"]`)
    if (element && row?.contains(document.activeElement) && isSeen(element, was, rowHeight))
      revealRow(element, ids.indexOf(focused!), rowHeight, headHeight)
  }, [ids])

  // The tab stop is always drawn, so that the focus stays when it is scrolled out of view.
  const stop = Math.max(0, focused === null ? 0 : ids.indexOf(focused))
  const drawn = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  if (ids.length > 0 && stop < first) drawn.unshift(stop)
  else if (ids.length > 0 && stop >= last) drawn.push(stop)
  const pressed = useRef<number | null>(null)
  const elements = useRef<readonly RowElement[]>([])
  elements.current = takeOver(
    elements.current,
    drawn.map((index) => ids[index]!),
    [focused, pressed.current],
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a grid; the linter does not see the role
    <div
      ref={scroller}
      {...{ ...roles.grid, 'aria-label': label, 'aria-rowcount': ids.length + 1 }}
      {...(isMultiselectable ? { 'aria-multiselectable': true } : {})}
      className={css.table}
      onScroll={update}
      onFocus={({ target }) => {
        const id = rowAt(target)
        if (id !== null) setFocused(id)
      }}
      onPointerDownCapture={({ target }) => {
        pressed.current = rowAt(target)
      }}
    >
      <div {...roles.group} className={css.head}>
        <div {...{ ...roles.row, 'aria-rowindex': 1 }} className={css.headRow}>
          {head}
        </div>
      </div>
      <div {...roles.group} className={css.body} style={{ height: ids.length * rowHeight }}>
        {drawn.map((index, place) => (
          <Fragment key={elements.current[place]!.key}>
            {row({ id: ids[index]!, index, top: index * rowHeight, isStop: index === stop })}
          </Fragment>
        ))}
      </div>
    </div>
  )
}

function rowAt(target: EventTarget): number | null {
  const key = target instanceof Element ? target.closest('[data-key]')?.getAttribute('data-key') : null
  return key ? Number(key) : null
}

interface RowElement {
  readonly id: number
  readonly key: number
}

let lastKey = 0

/**
 * The elements of the rows to draw. A row keeps its own, and a new one takes over that of a row that is gone from the same
 * place: new texts cost a third of new elements, and none moves. Nothing takes over from a `held` row, so that neither
 * focus nor a click gets to another record.
 */
function takeOver(
  before: readonly RowElement[],
  ids: readonly number[],
  held: readonly (number | null)[],
): RowElement[] {
  const drawn = new Set(ids)
  const usable = before.filter(({ id }) => drawn.has(id) || !held.includes(id))
  const places = new Map(usable.map(({ id }, place) => [id, place]))
  let next = 0
  return ids.map((id) => {
    const place = places.get(id)
    if (place !== undefined) {
      next = Math.max(next, place + 1)
      return usable[place]!
    }
    const gone = usable[next]
    if (gone && !drawn.has(gone.id)) {
      next += 1
      return { id, key: gone.key }
    }
    lastKey += 1
    return { id, key: lastKey }
  })
}

/** `onPress`: pointer press beside the controls of the row; `onMark`: space bar. */
export function GridRow({
  place,
  height,
  isSelected,
  isOpen = false,
  onPress,
  onMark,
  children,
}: {
  place: RowPlace
  height: number
  isSelected: boolean
  isOpen?: boolean
  onPress: (event: MouseEvent) => void
  onMark?: () => void
  children: ReactNode
}) {
  const press = (event: MouseEvent) => {
    const { target, currentTarget } = event
    const inner = target instanceof Element ? target.closest('button, a, input, label, [role="row"]') : null
    if (inner === currentTarget) onPress(event)
  }
  const mark = (event: KeyboardEvent) => {
    if (event.key !== ' ' || event.target !== event.currentTarget || !onMark) return
    event.preventDefault()
    onMark()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a row; the linter does not see the role
    <div
      {...{ ...roles.row, 'aria-rowindex': place.index + 2, 'aria-selected': isSelected }}
      data-key={place.id}
      data-selected={isSelected || undefined}
      data-open={isOpen || undefined}
      tabIndex={place.isStop ? 0 : -1}
      className={css.row}
      style={{ top: place.top, height }}
      onClick={press}
      onKeyDown={mark}
    >
      {children}
    </div>
  )
}

function isSeen({ scrollTop, clientHeight }: Element, index: number, rowHeight: number): boolean {
  const top = index * rowHeight
  return index >= 0 && top + rowHeight > scrollTop && top < scrollTop + clientHeight - headHeight
}
