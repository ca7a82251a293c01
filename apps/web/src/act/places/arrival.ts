import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Path of the page on screen; null before the first. */
let arrived: string | null = null
const listeners = new Set<() => void>()

/** True from the moment that another page is asked for until it is on screen: keys are for that page. */
export const isUnderway = (): boolean => arrived !== null && arrived !== location.pathname

/** The page of this path is on screen, with all that answers keys there. */
export function arrive(pathname: string): void {
  arrived = pathname
  if (!isUnderway()) for (const listener of listeners) listener()
}

/** Runs whenever a page has come. Returns the function that ends that. */
export function onArrival(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Stands after a page, so that its effects have run: says that the page is on screen. */
export function Arrived(): null {
  const { pathname } = useLocation()
  useEffect(() => arrive(pathname), [pathname])
  return null
}
