import type { NavigateFunction } from 'react-router-dom'
import { tabStorage } from '../../base/ports.ts'

/** The page that follows log lines. */
export const logsPath = '/dashboard/logs'

let router: NavigateFunction | null = null

export function setNavigate(navigate: NavigateFunction): void {
  router = navigate
}

export function stepIn(state: unknown): number {
  const { idx = 0 } = (state ?? {}) as { idx?: number }
  return idx
}

const trailKey = 'trail'
/** Paths of this tab by history index, to go back out to a list. */
let trail: string[] = []
let here = 0

export const stepHere = (): number => here

export function rememberStep(pathname: string): void {
  here = stepIn(history.state)
  // A tab’s first page has nothing to restore, and reading the storage would delay it by 100 ms.
  if (here > 0 && trail.length === 0) trail = (JSON.parse(tabStorage.get(trailKey) ?? '[]') as string[]).slice(0, here)
  trail[here] = pathname
  if (here > 0) tabStorage.set(trailKey, JSON.stringify(trail))
}

let holders = 0

/** Navigation loads pages in full from now on, so that the browser asks before unloading. Returns the function that ends that. */
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

/** `ask` decides about every in-app navigation; the browser asks for all others. Returns the function that ends that. */
export function guardPage(ask: () => Promise<boolean>): () => void {
  const signs = new AbortController()
  const { signal } = signs
  addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  const follow = (event: MouseEvent) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/dashboard"]') : null
    const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (!link || link.target === '_blank' || isElsewhere) return
    event.preventDefault()
    navigate(`${link.pathname}${link.search}${link.hash}`)
  }
  addEventListener('click', follow, { capture: true, signal })
  guard = ask
  return () => {
    signs.abort()
    if (guard === ask) guard = null
  }
}

export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const go = () => {
    if (holders > 0) location.assign(to)
    else void router?.(to, { replace })
  }
  if (guard && new URL(to, location.href).pathname !== location.pathname) void guard().then((goes) => goes && go())
  else go()
}

/** From a record to its list: goes back if that is where it was opened, else navigates. */
export function goOutTo(path: string): void {
  if (trail[here - 1] === path && holders === 0) void router?.(-1)
  else navigate(path)
}

/** This address with the panel of a record; its filter, order and hosts stay. */
export function searchWithOpen(id: number): URLSearchParams {
  const search = new URLSearchParams(location.search)
  // A comparison belongs to one server.
  if (search.get('open') !== String(id)) search.delete('vs')
  search.set('open', String(id))
  return search
}
