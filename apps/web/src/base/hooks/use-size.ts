import { type RefObject, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { media } from '../theme/rules.ts'

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    setWidth(target.clientWidth)
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return width
}

const stores = new Map<string, { subscribe(listener: () => void): () => void; matches(): boolean }>()

function storeOf(text: string) {
  const query = matchMedia(text)
  return {
    subscribe(listener: () => void) {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    matches: () => query.matches,
  }
}

/** Asks the browser once per query: each new one costs a render more than the rest of a small component. */
export function useMedia(name: keyof typeof media): boolean {
  const store = stores.get(name) ?? storeOf(media[name])
  stores.set(name, store)
  return useSyncExternalStore(store.subscribe, store.matches)
}
