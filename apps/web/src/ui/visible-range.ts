import { type RefObject, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Overscan: rows drawn above and below the visible ones. */
const spareRows = 8

/**
 * Scrolls the least needed to show a row. An invisible row may not be drawn, so its place is calculated. `head`: px at
 * the edges without rows.
 */
export function revealRow(scroller: Element, index: number, rowHeight: number, head: number): void {
  if (index < 0) return
  const top = index * rowHeight
  const seen = scroller.clientHeight - head
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + rowHeight > scroller.scrollTop + seen) scroller.scrollTop = top + rowHeight - seen
}

/**
 * The visible rows and their overscan, from `first` to before `last`, never more than `most`, a constant. Draws nothing
 * before the first measure, then the visible rows in chunks that don’t block, then the overscan. `update` is for
 * `onScroll`.
 */
export function useVisibleRange(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number) {
  const [range, setRange] = useState({ from: 0, to: 0 })
  const spare = useRef(0)
  /** Cached, because reading it in a scroll handler could cost a layout. */
  const height = useRef(0)
  const update = () => {
    const element = scroller.current
    if (!element) return
    const from = Math.floor(element.scrollTop / rowHeight) - spare.current
    const to = from + Math.ceil(height.current / rowHeight) + 1 + spare.current * 2
    setRange((now) => (now.from === from && now.to === to ? now : { from, to }))
  }
  const latest = useRef(update)
  latest.current = update
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      height.current = element.clientHeight
      latest.current()
    }
    startTransition(measure)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is another part when these change
  useLayoutEffect(() => startTransition(() => latest.current()), [rowHeight, count])
  const { from, to } = range
  const isDrawn = to > 0
  useEffect(() => {
    if (!isDrawn) return
    spare.current = spareRows
    startTransition(() => latest.current())
  }, [isDrawn])
  return { first: Math.max(0, Math.min(from, count)), last: Math.min(count, to), most: Math.max(1, to - from), update }
}
