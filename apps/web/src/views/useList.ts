import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import type { Resource } from '@qd/core/define'
import { buildTable, type Table } from '@qd/core/view'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { records, view } from '../stores.ts'
import { fromSearch, type ListState, listState$, toSearch } from './list-state.ts'

/** The list of a resource as it stands: loaded while on screen, its filter and order kept in the address. */
export function useList(resource: Resource): { list$: Observable<ListState>; table: Table } {
  const list$ = listState$(resource)
  useEffect(() => records.watch(resource.name), [resource])
  useAddress(resource, list$)
  const table = useValue(() => {
    const { filter, sort, marks, typing } = list$.get()
    return buildTable({ resource, rows: view.all(resource.name), view, width: 'wide', sort, filter, typing, marks })
  })
  return { list$, table }
}

/** Filter and order stand in the address: an address that has them wins, else they are written to it whenever they change. */
function useAddress(resource: Resource, list$: Observable<ListState>): void {
  const { search, pathname } = useLocation()
  const go = useNavigate()
  const { filter, sort } = useValue(() => ({ filter: list$.filter.get(), sort: list$.sort.get() }))
  const written = useRef<string | null>(null)
  useEffect(() => {
    const asked = new URLSearchParams(search)
    const isForeign = written.current !== search && (asked.has('q') || asked.has('sort'))
    written.current = search
    if (isForeign) {
      list$.assign(fromSearch(resource, asked))
      return
    }
    for (const name of ['q', 'sort']) asked.delete(name)
    for (const [name, value] of Object.entries(toSearch(resource, { filter, sort }))) asked.set(name, value)
    const next = asked.size === 0 ? '' : `?${asked}`
    if (next === search) return
    written.current = next
    void go({ pathname, search: next }, { replace: true })
  }, [resource, list$, search, pathname, go, filter, sort])
}
