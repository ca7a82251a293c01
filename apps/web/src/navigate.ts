import type { NavigateFunction } from 'react-router-dom'

let router: NavigateFunction | null = null

/** The router on screen hands its function over. */
export function setNavigate(navigate: NavigateFunction): void {
  router = navigate
}

/** Goes to a path of the console, from outside of components; -1 goes back. */
export function navigate(to: string | -1): void {
  if (typeof to === 'number') void router?.(to)
  else void router?.(to)
}
