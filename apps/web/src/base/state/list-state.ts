import { type Observable, observable } from '@legendapp/state'
import type { Resource, ResourceName } from '@qd/core/define'
import type { Marks, Sort } from '@qd/core/view'
import { remembered } from './stores.ts'

/** What a person has set in one list. Marks and cursor survive sorting, filtering, loading and leaving the page. */
export interface ListState {
  /** Text of the selection language. */
  filter: string
  /** The filter has the focus, so its last word may be unfinished. */
  typing: boolean
  sort: Sort
  marks: Marks
  /** The row that keys act on; null before the first. */
  cursor: number | null
}

const lists = new Map<ResourceName, Observable<ListState>>()
const empty: Marks = new Set()

/** The state of a resource's list: one per visit, the order remembered from the last one. A filter is what its address says, or one that was saved. */
export function listState$(resource: Resource): Observable<ListState> {
  const known = lists.get(resource.name)
  if (known) return known
  const last = remembered.read('main', `list:${resource.name}`) as Partial<ListState> | undefined
  const sort = last?.sort && Object.hasOwn(resource.fields, last.sort.field) ? last.sort : resource.sort
  const list$ = observable<ListState>({
    filter: '',
    sort,
    typing: false,
    marks: empty,
    cursor: null,
  })
  list$.sort.onChange(() => remembered.write('main', `list:${resource.name}`, { sort: { ...list$.sort.peek() } }))
  lists.set(resource.name, list$)
  return list$
}

/** Search parameters of a list's address; an order that is the resource's own is left out. */
export function toSearch(
  resource: Resource,
  { filter, sort }: Pick<ListState, 'filter' | 'sort'>,
): Record<string, string> {
  const isOwn = sort.field === resource.sort.field && sort.order === resource.sort.order
  return { ...(filter === '' ? {} : { q: filter }), ...(isOwn ? {} : { sort: `${sort.field}-${sort.order}` }) }
}

/** The reverse. An address without a filter is the whole list, in the order that the list had; an order by an unknown field is passed over. */
export function fromSearch(
  resource: Resource,
  { search, sort }: { search: URLSearchParams; sort: Sort },
): Pick<ListState, 'filter' | 'sort'> {
  const filter = search.get('q') ?? ''
  if (!search.has('q') && !search.has('sort')) return { filter, sort }
  const [, field = '', order] = /^(.+)-(asc|desc)$/.exec(search.get('sort') ?? '') ?? []
  return {
    filter,
    sort: Object.hasOwn(resource.fields, field) ? { field, order: order as Sort['order'] } : resource.sort,
  }
}

/** Changes the marks of a list. */
export function changeMarks(list$: Observable<ListState>, change: (marks: Marks) => Marks): void {
  list$.assign({ marks: new Set(change(list$.peek().marks)) })
}
