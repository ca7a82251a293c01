import type { NavigateFunction } from 'react-router-dom'
import { tabStorage } from '../../base/ports.ts'

let router: NavigateFunction | null = null

/** The router on screen hands its function over. */
export function setNavigate(navigate: NavigateFunction): void {
  router = navigate
}

/** The place of a step in the browser's history; the router counts them in the history's state. */
export function stepIn(state: unknown): number {
  const { idx = 0 } = (state ?? {}) as { idx?: number }
  return idx
}

const trailKey = 'trail'
/** Pages of this tab by their step, so that one can go outwards past those that lie inside. */
let trail: string[] = []
let here = 0

/** The step on screen, as the router drew it last. */
export const stepHere = (): number => here

/** The router is on this page now. */
export function rememberStep(pathname: string): void {
  here = stepIn(history.state)
  // A tab's first page has nothing before it to be remembered; its storage would hold that page up for a tenth of a second.
  if (here > 0 && trail.length === 0) trail = (JSON.parse(tabStorage.get(trailKey) ?? '[]') as string[]).slice(0, here)
  trail[here] = pathname
  if (here > 0) tabStorage.set(trailKey, JSON.stringify(trail))
}

let holders = 0

/** From now on going somewhere loads that page, so that the browser asks before a page that must not be left by mistake. Returns the function that ends that. */
export function holdPage(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  holders += 1
  return () => {
    removeEventListener('beforeunload', ask)
    holders -= 1
  }
}

let guard: (() => Promise<boolean>) | null = null

/** From now on `ask` decides whether another page may come, by key, link or palette; the browser asks before all else. Returns the function that ends that. */
export function guardPage(ask: () => Promise<boolean>): () => void {
  const signs = new AbortController()
  const { signal } = signs
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  const follow = (event: MouseEvent) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/dashboard"]') : null
    const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (!link || link.target === '_blank' || isElsewhere) return
    // The router leaves alone what is taken.
    event.preventDefault()
    navigate(`${link.pathname}${link.search}`)
  }
  addEventListener('click', follow, { capture: true, signal })
  guard = ask
  return () => {
    signs.abort()
    if (guard === ask) guard = null
  }
}

/** Goes to an address of the console, without loading the page anew. `replace` leaves no step to go back to. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const go = () => {
    if (holders > 0) location.assign(to)
    else void router?.(to, { replace })
  }
  if (guard && new URL(to, location.href).pathname !== location.pathname) void guard().then((goes) => goes && go())
  else go()
}

/** From a record out to its list: the one that it was opened from, else a new step. */
export function goOutTo(path: string): void {
  if (trail[here - 1] === path && holders === 0) void router?.(-1)
  else navigate(path)
}
