import { useValue } from '@legendapp/state/react'
import { keepAsking, same } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import { createListPages, type ListPages, watchWithNeeds } from '@qd/core/store'
import { buildTable, type ListModel, type SavedFilter, type Table } from '@qd/core/view'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { navigate, searchWithOpen } from '../../act/places/navigate.ts'
import { ports, setShownTimer } from '../../base/ports.ts'
import { chartParameters } from '../../base/state/charts.ts'
import { fromSearch, listOf, toSearch, useListValue } from '../../base/state/list-state.ts'
import { client, records, savedLists, view } from '../../base/state/stores.ts'
import { type Hosts, useHosts } from './use-hosts.ts'

export interface Part {
  page: number
  size: number
}

/** Product spec 2, "Online-user and WAF pages". */
const usual = { page: 1, size: 10 }
const maxPageSize = 200

export function usePart({ pages }: Pick<Resource, 'pages'>): Part | null {
  const { search } = useLocation()
  const asked = new URLSearchParams(search)
  const page = numberIn(asked.get('page'), usual.page)
  const size = Math.min(numberIn(asked.get('pageSize'), usual.size), maxPageSize)
  return useMemo(() => (pages ? { page, size } : null), [pages, page, size])
}

function numberIn(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback
}

export function pageAddress(page: number): string {
  const search = new URLSearchParams(location.search)
  if (page === 1) search.delete('page')
  else search.set('page', String(page))
  return `${location.pathname}${search.size === 0 ? '' : `?${search}`}`
}

const pageSize = 200

export interface ShownList {
  list: ListModel
  table: Table
  pages: ListPages
  /** The hosts that are read; null for records of the database. */
  hosts: Hosts | null
}

export function useList(resource: Resource): ShownList {
  const list = listOf(resource)
  const part = usePart(resource)
  useAddress(list)
  const pages = useMemo(() => {
    const { size, offset } = part
      ? { size: part.size, offset: (part.page - 1) * part.size }
      : { size: pageSize, offset: 0 }
    return createListPages({ records, setTimer: ports.setTimer, list, size, offset })
  }, [list, part])
  const isFurther = part !== null && part.page > 1
  const filter = useListValue(list, (one) => one.filter)
  const typing = useListValue(list, (one) => one.typing)
  const sort = useListValue(list, (one) => one.sort)
  const marks = useListValue(list, (one) => one.marks)
  const asked = useRef({ pages, filter, sort })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the list is to show follows from these
  useEffect(() => {
    const before = asked.current
    asked.current = { pages, filter, sort }
    // Another filter or order starts on page 1.
    if (isFurther && before.pages === pages && (before.filter !== filter || before.sort !== sort))
      navigate(pageAddress(1), { replace: true })
    else pages.ask()
  }, [pages, isFurther, filter, typing, sort])
  useEffect(() => () => pages.stop(), [pages])
  const hosts = useHosts(resource)
  const on = hosts && !hosts.isOpen ? hosts.on : null
  useEffect(() => {
    // Nobody's hosts are read before it is known which are meant.
    if (resource.host && on === null) return undefined
    if (on !== null) void records.load(resource.name, { on })
    const leave = watchWithNeeds(records, resource)
    return () => {
      leave()
      list.hold('pointer', false)
      list.hold('focus', false)
    }
  }, [resource, list, on])
  const last = useRef<Table | null>(null)
  const fresh = useValue(() => {
    const next = buildTable({
      resource,
      rows: view.all(resource.name),
      view,
      width: 'wide',
      sort,
      filter,
      typing,
      marks,
      columns: savedLists.list$(resource).columns.get() as readonly string[] | null,
      paged: pages.paged(),
    })
    last.current = keepSame(last.current, next)
    return last.current
  })
  useAsked(fresh.asked)
  list.settle(fresh.ids)
  const ids = useListValue(list, (one) => one.ids)
  const table = useMemo(() => (ids === fresh.ids ? fresh : { ...fresh, ids }), [fresh, ids])
  return { list, table, pages, hosts }
}

/** Has hosts read for these fields while the list is on screen. */
function useAsked(fields: readonly string[]): void {
  const asked = fields.join()
  useEffect(() => (asked === '' ? undefined : keepAsking(client, asked.split(','), setShownTimer)), [asked])
}

/** Keeps the identity of unchanged parts, so that nothing renders for them. */
function keepSame(before: Table | null, next: Table): Table {
  if (before === null) return next
  const kept = {
    ...next,
    ids: same(before.ids, next.ids) ? before.ids : next.ids,
    columns: same(before.columns, next.columns) ? before.columns : next.columns,
    facets: same(before.facets, next.facets) ? before.facets : next.facets,
  }
  return same(before, kept) ? before : kept
}

/**
 * Keeps filter and order in the address. Navigation wins, so that the logo and `g s` show the whole list; typing
 * updates the address without navigation, so that it isn’t read back.
 */
function useAddress(list: ListModel): void {
  const { resource } = list
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has a key of its own
  useLayoutEffect(() => {
    list.take(fromSearch(resource, { search: new URLSearchParams(location.search), sort: list.sort }))
    let written: SavedFilter | null = null
    const write = () => {
      const { filter, sort } = list
      if (written?.filter === filter && written.sort === sort) return
      written = { filter, sort }
      const next = addressOf(resource, list)
      if (next !== location.search) history.replaceState(history.state, '', `${location.pathname}${next}`)
    }
    write()
    return list.onChange(write)
  }, [resource, list, key])
}

export function addressOf(resource: Resource, state: SavedFilter, open?: number | null): string {
  const search = typeof open === 'number' ? searchWithOpen(open) : new URLSearchParams(location.search)
  for (const name of ['q', 'sort']) search.delete(name)
  for (const [name, value] of Object.entries(toSearch(resource, state))) search.set(name, value)
  if (open === null) for (const name of ['open', ...chartParameters]) search.delete(name)
  return search.size === 0 ? '' : `?${search}`
}

/** The record of the open panel, from the address, and its setter. Moving to another replaces the history entry. */
export function useOpen(list: ListModel): [number | null, (id: number | null) => void] {
  const { search, pathname } = useLocation()
  const asked = new URLSearchParams(search).get('open')
  const open = asked === null ? null : Number(asked)
  const setOpen = (id: number | null) =>
    navigate(`${pathname}${addressOf(list.resource, list, id)}`, { replace: open !== null && id !== null })
  return [open, setOpen]
}
