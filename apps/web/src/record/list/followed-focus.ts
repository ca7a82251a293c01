import { useValue } from '@legendapp/state/react'
import type { ListModel } from '@qd/core/view'
import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useListValue } from '../../base/state/list-state.ts'
import { overlays$, questions } from '../../base/state/overlays.ts'
import { headHeight, type MoveFocus } from '../../ui/Grid.tsx'
import { revealRow } from '../../ui/visible-range.ts'

/** What the focus of a list follows. */
export interface FollowedFocus {
  list: ListModel
  move: RefObject<MoveFocus | null>
  /** The element around the rows. */
  frame: RefObject<HTMLElement | null>
  /** px of a row where all are alike; null for cards. */
  rowHeight: number | null
  /** A menu or the panel of a record lies over the list. */
  isCovered: boolean
}

/**
 * The focus stays with its record (issue 12.4): where a question or a form goes, it comes back to the row of the cursor, wherever that is by
 * now; where the row itself is gone, its neighbour has it; and what a question is about is in view behind it.
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
  /** Once what is drawn has settled: the row of the cursor has the focus and is seen, or the row that took its place has it. */
  const settle = useCallback(
    (isBack: boolean) =>
      afterDrawing(() => {
        const { frame, move } = latest.current
        if (list.cursor === null || !frame.current) return
        const at = rowOf(frame.current, document.activeElement)
        const isLost = document.activeElement === null || document.activeElement === document.body
        const wanted = list.nearest
        // A row that was drawn for this record may show another by now, with the focus still in it.
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

/** Runs after the next two frames: react-aria gives a focus back with the first one. Returns the function that cancels it. */
function afterDrawing(run: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(run)
  })
  return () => cancelAnimationFrame(frame)
}

/** The record whose row in `frame` holds this element; null elsewhere. */
function rowOf(frame: HTMLElement | null, target: EventTarget | null): number | null {
  if (!(target instanceof Element) || !frame?.contains(target)) return null
  const key = target.closest('[role="row"][data-key]')?.getAttribute('data-key')
  return key && /^\d+$/.test(key) ? Number(key) : null
}

/** Scrolls as far as is needed to see the row. A row out of sight need not be drawn, so its place is reckoned. */
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
