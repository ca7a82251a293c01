import { useValue } from '@legendapp/state/react'
import type { ListModel } from '@qd/core/view'
import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useListValue } from '../../base/state/list-state.ts'
import { overlays$, questions } from '../../base/state/overlays.ts'
import { headHeight, type MoveFocus } from '../../ui/Grid.tsx'
import { revealRow } from '../../ui/visible-range.ts'

export interface FollowedFocus {
  list: ListModel
  move: RefObject<MoveFocus | null>
  frame: RefObject<HTMLElement | null>
  /** px; null for cards. */
  rowHeight: number | null
  isCovered: boolean
}

/**
 * Keeps the focus with its record: after a dialog it returns to the cursor’s row, wherever that is now, or its neighbor
 * if the row is gone. A question’s row is scrolled into view behind it.
 */
export function useFollowedFocus(given: FollowedFocus): void {
  const { list, isCovered } = given
  const ids = useListValue(list, (one) => one.ids)
  const latest = useRef(given)
  latest.current = given
  const isOver = useValue(() => Object.values(overlays$.get()).some((one) => one !== null && one !== false))
  const asked = useSyncExternalStore(questions.subscribe, questions.current)
  const isFree = !isOver && !isCovered && asked === null

  const hadFocus = useRef(false)
  /** Focuses the cursor’s row, or its successor, after rendering. */
  const settle = useCallback(
    (isBack: boolean) =>
      afterDrawing(() => {
        const { frame, move } = latest.current
        if (list.cursor === null || !frame.current) return
        const at = rowOf(frame.current, document.activeElement)
        const isLost = document.activeElement === null || document.activeElement === document.body
        const wanted = list.nearest
        // A recycled row may show another record but still have the focus.
        if (wanted === null || (at === null && !isLost) || (at === wanted && !isBack)) return
        list.focusOn(wanted)
        reveal(latest.current, wanted)
        if (at !== wanted) move.current?.(wanted)
      }),
    [list],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are other rows
  useEffect(() => (hadFocus.current && isFree ? settle(false) : undefined), [ids, isFree, settle])
  useEffect(() => {
    const listen = ({ target }: FocusEvent) => {
      hadFocus.current = rowOf(latest.current.frame.current, target) !== null
    }
    document.addEventListener('focusin', listen)
    return () => document.removeEventListener('focusin', listen)
  }, [])

  const wasFree = useRef(true)
  useEffect(() => {
    const isBack = isFree && !wasFree.current
    wasFree.current = isFree
    return isBack ? settle(true) : undefined
  }, [isFree, settle])
  useEffect(() => {
    if (asked && list.cursor !== null) reveal(latest.current, list.cursor)
  }, [asked, list])
}

function afterDrawing(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}

/** The record whose row contains the element; null elsewhere. */
function rowOf(frame: HTMLElement | null, target: EventTarget | null): number | null {
  if (!(target instanceof Element) || !frame?.contains(target)) return null
  const key = target.closest('[role="row"][data-key]')?.getAttribute('data-key')
  return key && /^\d+$/.test(key) ? Number(key) : null
}

/** Scrolls the least needed. An invisible row may not be drawn, so its place is calculated. */
function reveal({ frame, list, rowHeight }: FollowedFocus, id: number): void {
  const rows = frame.current?.querySelector('[role="grid"]')
  const at = list.ids.indexOf(id)
  if (!rows || at < 0) return
  if (rowHeight === null) {
    rows.querySelector(`[role="row"][data-key="${id}"]`)?.scrollIntoView({ block: 'nearest' })
    return
  }
  revealRow(rows, at, rowHeight, headHeight)
}
