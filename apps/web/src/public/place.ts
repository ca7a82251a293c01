import { observable } from '@legendapp/state'
import type { MouseEvent } from 'react'

/** Path of the page. The status page has two kinds of pages, which needs no router. */
export const place$ = observable(location.pathname)

addEventListener('popstate', () => place$.set(location.pathname))

export const serverPath = (id: number): string => `/server/${id}`

/** The server whose page a path is; null for all others. */
export function serverAt(path: string): number | null {
  const [, id] = /^\/server\/(\d{1,15})$/.exec(path) ?? []
  return id === undefined ? null : Number(id)
}

/** Follows a link without loading the page again, unless another tab or window is asked for. */
export function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  history.pushState(null, '', event.currentTarget.href)
  place$.set(location.pathname)
  scrollTo(0, 0)
}
