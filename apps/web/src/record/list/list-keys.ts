import { escapeStep } from '@qd/core/actions'
import { type RefObject, useEffect, useRef } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { page$ } from '../../base/state/page.ts'
import { live, records } from '../../base/state/stores.ts'
import type { MoveFocus } from '../../ui/Grid.tsx'
import type { ShownList } from './use-list.ts'

const pageRows = 20

export interface ListKeys {
  shown: ShownList
  move: RefObject<MoveFocus | null>
  open: number | null
  setOpen: (id: number | null) => void
}

/** Binds the list’s keys while mounted. Returns a function that moves the cursor; an open panel follows. */
export function useListKeys(given: ListKeys): (step: number) => void {
  const latest = useRef(given)
  latest.current = given
  const go = (step: () => void) => {
    const { shown, move, open, setOpen } = latest.current
    const { list } = shown
    if (list.ids.length === 0) return
    if (open !== null) list.focusOn(open)
    step()
    move.current?.(list.cursor!)
    if (open !== null) setOpen(list.cursor)
  }
  const list = () => latest.current.shown.list
  const stepBy = (by: number) => go(() => list().move(by))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers read what is latest by reference
  useEffect(
    () =>
      onCommands({
        next: () => stepBy(1),
        previous: () => stepBy(-1),
        first: () => go(() => list().moveTo('first')),
        async last() {
          const { pages } = latest.current.shown
          if (!list().resource.pages) await pages.all()
          // New rows are in the next render.
          requestAnimationFrame(() => go(() => list().moveTo('last')))
        },
        pageDown: () => stepBy(pageRows),
        pageUp: () => stepBy(-pageRows),
        extendDown: () => go(() => list().extend(1)),
        extendUp: () => go(() => list().extend(-1)),
        mark: () => list().mark(),
        markRange: () => list().markRange(),
        markAll: () => void markAll(latest.current.shown),
        reload() {
          const { resource } = page$.peek()
          list().release()
          live.retryNow()
          if (resource) void records.refresh([resource])
        },
        escape: () => stepBack(latest.current),
      }),
    [],
  )
  return stepBy
}

/** Selects all matches, even unloaded ones, or deselects them. Only the page’s rows if the list has pages. */
export async function markAll({ list, table, pages }: ShownList): Promise<void> {
  const { resource } = list
  if (resource.pages || table.matched <= table.ids.length) list.markAll()
  else if (await pages.all()) list.markAll(records.list$(resource.name).peek().ids)
}

/**
 * Escape closes in this order (behaviour P-33): panel, field, filter, selection. A bare list ignores it, so that one
 * press too many doesn’t leave the page.
 */
function stepBack({ shown: { list }, open, setOpen }: ListKeys): boolean {
  const field = document.activeElement instanceof HTMLInputElement ? document.activeElement : null
  const step = escapeStep({
    overlay: open !== null,
    field: field !== null,
    filter: list.filter !== '',
    marks: list.marks.size > 0,
  })
  if (step === 'overlay') setOpen(null)
  if (step === 'field') field?.blur()
  if (step === 'filter') list.setFilter('')
  if (step === 'marks') list.clearMarks()
  return step !== null
}
