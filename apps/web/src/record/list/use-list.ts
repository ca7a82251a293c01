import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { pageQuery, same } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import { pagedOf, watchWithNeeds } from '@qd/core/store'
import { parseSelection } from '@qd/core/targets'
import { buildTable, type SavedList, type Table } from '@qd/core/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { navigate } from '../../act/places/navigate.ts'
import { ports } from '../../base/ports.ts'
import { fromSearch, type ListState, listState$, toSearch } from '../../base/state/list-state.ts'
import { records, savedLists, view } from '../../base/state/stores.ts'
import { type Part, pageAddress, usePart } from './use-part.ts'

/** Records per request of a list that the server pages. */
const pageSize = 200
/** The server is asked this long after the last key in the filter. */
const typingMs = 150

/** The list of a resource as it stands: loaded while on screen, its filter and order kept in the address. */
export function useList(resource: Resource): { list$: Observable<ListState>; table: Table } {
  const list$ = listState$(resource)
  const part = usePart(resource)
  useAddress(resource, list$)
  useEffect(() => {
    const stop = resource.wire.paging === 'server' ? askServer(resource, list$, part) : null
    const leave = watchWithNeeds(records, resource)
    return () => {
      stop?.()
      leave()
    }
  }, [resource, list$, part])
  const last = useRef<Table | null>(null)
  const table = useValue(() => {
    const filter = list$.filter.get()
    const sort = list$.sort.get()
    const marks = list$.marks.get()
    const typing = list$.typing.get()
    const loaded = records.list$(resource.name).get()
    const { columns } = savedLists.list$(resource).get() as SavedList
    const next = buildTable({
      resource,
      rows: view.all(resource.name),
      view,
      width: 'wide',
      sort,
      filter,
      typing,
      marks,
      columns,
      paged: pagedOf(loaded, pageQuery(resource, { filter, typing, sort, limit: pageSize })),
    })
    last.current = keepSame(last.current, next)
    return last.current
  })
  return { list$, table }
}

/** Asks the server for what the list is to show now, and again when filter or order change; a filter with a mistake is not asked for. */
function askServer(resource: Resource, list$: Observable<ListState>, part: Part | null): () => void {
  let asked = ''
  const ask = () => {
    const { filter, typing, sort } = list$.peek()
    const offset = part ? (part.page - 1) * part.size : 0
    const query = {
      ...pageQuery(resource, { filter, typing, sort, limit: part?.size ?? pageSize }),
      ...(offset > 0 && { offset }),
    }
    const key = JSON.stringify(query)
    if (key === asked || !parseSelection(resource, filter, { partial: typing }).ok) return
    asked = key
    void records.load(resource.name, query)
  }
  let cancel = () => {}
  const wanted = () => {
    const { filter, typing, sort } = list$.peek()
    return JSON.stringify(pageQuery(resource, { filter, typing, sort, limit: pageSize }))
  }
  const begun = wanted()
  // Another filter or order begins on its first page.
  const askAnew = () => {
    if (part && part.page > 1 && wanted() !== begun) navigate(pageAddress(1), { replace: true })
    else ask()
  }
  const askLater = () => {
    cancel()
    cancel = ports.setTimer(askAnew, typingMs)
  }
  ask()
  const stops = [list$.filter.onChange(askLater), list$.typing.onChange(askLater), list$.sort.onChange(askAnew)]
  return () => {
    cancel()
    for (const stop of stops) stop()
  }
}

/** Asks for all records that the filter lets through, of a list in pages those of the page, for what is done to all of them. */
export async function loadAll(resource: Resource): Promise<void> {
  if (!resource.pages) await records.loadAll(resource.name)
}

/** The new table with every part that says the same as before left the same object, so that nothing is drawn again for it. */
function keepSame(before: Table | null, next: Table): Table {
  if (before === null) return next
  if (same(before, next)) return before
  const kept = { ids: before.ids, columns: before.columns, facets: before.facets }
  return {
    ...next,
    ids: same(kept.ids, next.ids) ? kept.ids : next.ids,
    columns: same(kept.columns, next.columns) ? kept.columns : next.columns,
    facets: same(kept.facets, next.facets) ? kept.facets : next.facets,
  }
}

/**
 * Filter and order stand in the address. What is navigated to wins, so that the logo and `g s` show the whole list; what is typed afterwards is written to the address
 * without a navigation, so that nothing typed meanwhile is read back.
 */
function useAddress(resource: Resource, list$: Observable<ListState>): void {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has a key of its own
  useLayoutEffect(() => {
    list$.assign(fromSearch(resource, { search: new URLSearchParams(location.search), sort: list$.sort.peek() }))
    const write = () => {
      const next = addressOf(resource, list$.peek())
      if (next !== location.search) history.replaceState(history.state, '', `${location.pathname}${next}`)
    }
    write()
    const stops = [list$.filter.onChange(write), list$.sort.onChange(write)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [resource, list$, key])
}

/** The search part of the present address with this filter and order, and `open` as asked. */
function addressOf(resource: Resource, state: ListState, open?: number | null): string {
  const search = new URLSearchParams(location.search)
  for (const name of ['q', 'sort']) search.delete(name)
  for (const [name, value] of Object.entries(toSearch(resource, state))) search.set(name, value)
  if (open === null) search.delete('open')
  else if (open !== undefined) search.set('open', String(open))
  return search.size === 0 ? '' : `?${search}`
}

/** The record whose panel is open, by the address, and how to change it. A move from one to the next replaces the address. */
export function useOpen(
  resource: Resource,
  list$: Observable<ListState>,
): [number | null, (id: number | null) => void] {
  const { search, pathname } = useLocation()
  const asked = new URLSearchParams(search).get('open')
  const open = asked === null ? null : Number(asked)
  const setOpen = (id: number | null) =>
    navigate(`${pathname}${addressOf(resource, list$.peek(), id)}`, { replace: open !== null && id !== null })
  return [open, setOpen]
}
