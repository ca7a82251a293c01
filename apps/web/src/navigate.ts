import type { NavigateFunction } from 'react-router-dom'

let router: NavigateFunction | null = null

/** The router on screen hands its function over. */
export function setNavigate(navigate: NavigateFunction): void {
  router = navigate
}

/** Steps of the console that lie behind; the router counts them in the history's state. */
function stepsBehind(): number {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx
}

let loadsPages = false

/** While true, going somewhere loads that page, so that the browser asks before a page that must not be left by mistake. */
export function setLoadsPages(isOn: boolean): void {
  loadsPages = isOn
}

/** Goes to an address of the console, without loading the page anew; -1 goes back, but never out of the console. `replace` leaves no step to go back to. */
export function navigate(to: string | -1, { replace = false }: { replace?: boolean } = {}): void {
  if (typeof to === 'number') {
    if (stepsBehind() > 0) void router?.(to)
  } else if (loadsPages) location.assign(to)
  else void router?.(to, { replace })
}
