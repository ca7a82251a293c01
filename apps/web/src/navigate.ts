import { type Observable, observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'

/** Where the console is. */
export interface Place {
  pathname: string
  /** With its question mark; empty without one. */
  search: string
  /** Rises with every navigation, also to the same address. */
  visit: number
}

const place$: Observable<Place> = observable<Place>({ pathname: location.pathname, search: location.search, visit: 0 })

function arrive(): void {
  place$.assign({ pathname: location.pathname, search: location.search, visit: place$.visit.peek() + 1 })
}

addEventListener('popstate', arrive)

/** Goes to an address of the console, without loading the page anew; -1 goes back. `replace` leaves no step to go back to. */
export function navigate(to: string | -1, { replace = false }: { replace?: boolean } = {}): void {
  if (to === -1) return history.back()
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  arrive()
}

/** Where the console is, followed. */
export function usePlace(): Place {
  return useValue(place$)
}

/** The values of a pattern's `:names` in a path, or null where it does not fit. A slash at the end does not matter. */
export function matchPath(pattern: string, pathname: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/')
  const given = pathname.replace(/\/+$/, '').split('/')
  if (wanted.length !== given.length) return null
  const values: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(given[index]!)
    else if (part !== given[index]) return null
  }
  return values
}
