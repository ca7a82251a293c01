import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

let arrived: string | null = null
const listeners = new Set<() => void>()

/** True from navigation until the page is on screen; keys are for that page. */
export const isUnderway = (): boolean => arrived !== null && arrived !== location.pathname

/** The page of this path is on screen, with all that answers keys there. */
export function arrive(pathname: string): void {
  arrived = pathname
  if (!isUnderway()) for (const listener of listeners) listener()
}

export function onArrival(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Rendered after a page so that its effects have run: reports that the page is on screen. */
export function Arrived(): null {
  const { pathname } = useLocation()
  useEffect(() => arrive(pathname), [pathname])
  return null
}
