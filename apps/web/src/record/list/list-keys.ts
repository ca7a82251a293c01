import type { Observable } from '@legendapp/state'
import { escapeStep } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import { markRange, type Table, toggleAll, toggleMark } from '@qd/core/view'
import { type RefObject, useEffect, useRef } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { goOut, stepsOut } from '../../act/places/navigate.ts'
import { changeMarks, type ListState } from '../../base/state/list-state.ts'
import { page$ } from '../../base/state/page.ts'
import { live, records } from '../../base/state/stores.ts'
import type { MoveFocus } from '../../ui/Grid.tsx'
import { loadAll } from './use-list.ts'

/** Rows that PgUp and PgDn move by. */
const pageRows = 20

/** What the keys of a list act on. */
export interface ListKeys {
  resource: Resource
  list$: Observable<ListState>
  table: Table
  move: RefObject<MoveFocus | null>
  open: number | null
  setOpen: (id: number | null) => void
}

/** Handles the keys of a list while it is on screen. Returns a function that moves the cursor by a number of rows; an open panel follows the cursor. */
export function useListKeys(given: ListKeys): (step: number) => void {
  const latest = useRef(given)
  latest.current = given
  const place = (index: number) => {
    const { list$, table, move, open, setOpen } = latest.current
    const id = table.ids[Math.max(0, Math.min(table.ids.length - 1, index))]
    if (id === undefined) return
    list$.cursor.set(id)
    move.current?.(id)
    if (open !== null) setOpen(id)
  }
  const at = () => {
    const { list$, table, open } = latest.current
    return table.ids.indexOf(open ?? list$.cursor.peek() ?? -1)
  }
  const stepBy = (step: number) => place(at() < 0 ? 0 : at() + step)
  const extend = (step: number) => {
    const { list$, table } = latest.current
    const from = list$.cursor.peek()
    stepBy(step)
    const to = list$.cursor.peek()
    if (from !== null && to !== null) changeMarks(list$, (marks) => markRange(marks, table.ids, from, to))
  }
  const anchor = useRef<number | null>(null)
  const mark = (isRange: boolean) => {
    const { list$, table } = latest.current
    const cursor = list$.cursor.peek()
    if (cursor === null) return
    const from = isRange ? anchor.current : null
    changeMarks(list$, (marks) =>
      from === null ? toggleMark(marks, cursor) : markRange(marks, table.ids, from, cursor),
    )
    anchor.current = cursor
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers read what is latest by reference
  useEffect(
    () =>
      onCommands({
        next: () => stepBy(1),
        previous: () => stepBy(-1),
        first: () => place(0),
        async last() {
          await loadAll(latest.current.resource)
          // The rows that have just come are in the next table.
          requestAnimationFrame(() => place(latest.current.table.ids.length - 1))
        },
        pageDown: () => stepBy(pageRows),
        pageUp: () => stepBy(-pageRows),
        extendDown: () => extend(1),
        extendUp: () => extend(-1),
        mark: () => mark(false),
        markRange: () => mark(true),
        markAll: () => void markAll(latest.current),
        reload() {
          const { resource } = page$.peek()
          live.retryNow()
          if (resource) void records.refresh([resource])
        },
        escape: () => stepBack(latest.current),
      }),
    [],
  )
  return stepBy
}

/** Marks everything that the filter lets through, also what is not loaded yet; a second time takes these marks. */
export async function markAll({
  resource,
  list$,
  table,
}: Pick<ListKeys, 'resource' | 'list$' | 'table'>): Promise<void> {
  if (table.matched <= table.ids.length) return changeMarks(list$, (marks) => toggleAll(marks, table.ids))
  const { filter } = list$.peek()
  await loadAll(resource)
  // Another filter meanwhile means other records.
  if (list$.filter.peek() !== filter || table.problem) return
  changeMarks(list$, (marks) => toggleAll(marks, records.list$(resource.name).peek().ids))
}

/** The order of Escape on a page (behaviour P-33): the panel, the field, the filter, the marks, outwards. */
function stepBack({ list$, open, setOpen }: ListKeys): boolean {
  const field = document.activeElement instanceof HTMLInputElement ? document.activeElement : null
  const { filter, marks } = list$.peek()
  const step = escapeStep({
    overlay: open !== null,
    field: field !== null,
    filter: filter !== '',
    marks: marks.size > 0,
    back: stepsOut() > 0,
  })
  if (step === 'overlay') setOpen(null)
  if (step === 'field') field?.blur()
  if (step === 'filter') list$.filter.set('')
  if (step === 'marks') changeMarks(list$, () => new Set())
  if (step === 'back') goOut()
  return step !== null
}
