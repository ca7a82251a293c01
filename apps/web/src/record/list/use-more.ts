import { useValue } from '@legendapp/state/react'
import type { Resource } from '@qd/core/define'
import type { ListPages } from '@qd/core/store'
import { type UIEvent, useCallback, useEffect, useRef, useState } from 'react'
import { records } from '../../base/state/stores.ts'

/** Distance to the end of the list, in px, at which the next records are requested. */
const nearPx = 1200

/** Loads a list that the server pages on as somebody scrolls: what the scrolling part of the list is to call, and whether more is on its way. */
export function useMore(
  resource: Resource,
  pages: ListPages,
): { onScroll: (event: UIEvent) => void; isComing: boolean } {
  const scroller = useRef<Element | null>(null)
  const list$ = records.list$(resource.name)
  const count = useValue(() => list$.ids.get().length)
  const isReady = useValue(() => list$.status.get() === 'ready')
  const [isComing, setComing] = useState(false)
  const look = useCallback(() => {
    const { current } = scroller
    const { ids, total, status } = list$.peek()
    if (!current || resource.pages || total === null || ids.length >= total || status !== 'ready') return
    if (current.scrollHeight - current.scrollTop - current.clientHeight > nearPx) return
    setComing(true)
    void pages.more().then(() => setComing(false))
  }, [resource, list$, pages])
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody may have come to the end while a request was under way
  useEffect(look, [look, count, isReady])
  const onScroll = useCallback(
    ({ target }: UIEvent) => {
      scroller.current = target as Element
      look()
    },
    [look],
  )
  return { onScroll, isComing }
}
