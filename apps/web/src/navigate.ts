import type { NavigateFunction } from 'react-router-dom'

let router: NavigateFunction | null = null

/** The router on screen hands its function over. */
export function setNavigate(navigate: NavigateFunction): void {
  router = navigate
}

/** Goes to an address of the console, without loading the page anew; -1 goes back. `replace` leaves no step to go back to. */
export function navigate(to: string | -1, { replace = false }: { replace?: boolean } = {}): void {
  if (typeof to === 'number') void router?.(to)
  else void router?.(to, { replace })
}
