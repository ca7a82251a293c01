import type { Resource, ResourceName } from '@qd/core/define'
import { createListModel, type ListModel, type SavedFilter, type Sort } from '@qd/core/view'
import { useSyncExternalStore } from 'react'
import { remembered } from './stores.ts'

const lists = new Map<ResourceName, ListModel>()

/** The list model of a resource for this visit. Its filter comes from the address or was saved. */
export function listOf(resource: Resource): ListModel {
  const known = lists.get(resource.name)
  if (known) return known
  const place = `list:${resource.name}`
  const last = remembered.read('main', place) as { sort?: Sort } | undefined
  const list = createListModel(resource, last?.sort)
  let { sort } = list
  list.onChange(() => {
    if (list.sort === sort) return
    sort = list.sort
    remembered.write('main', place, { sort: { ...sort } })
  })
  lists.set(resource.name, list)
  return list
}

export function useListValue<Value>(list: ListModel, pick: (list: ListModel) => Value): Value {
  return useSyncExternalStore(list.onChange, () => pick(list))
}

export function toSearch(resource: Resource, { filter, sort }: SavedFilter): Record<string, string> {
  const isOwn = sort.field === resource.sort.field && sort.order === resource.sort.order
  return { ...(filter === '' ? {} : { q: filter }), ...(isOwn ? {} : { sort: `${sort.field}-${sort.order}` }) }
}

/** The reverse of `toSearch`. Without a filter the whole list, in its previous order; an unknown sort field is ignored. */
export function fromSearch(resource: Resource, { search, sort }: { search: URLSearchParams; sort: Sort }): SavedFilter {
  const filter = search.get('q') ?? ''
  if (!search.has('q') && !search.has('sort')) return { filter, sort }
  const [, field = '', order] = /^(.+)-(asc|desc)$/.exec(search.get('sort') ?? '') ?? []
  return {
    filter,
    sort: Object.hasOwn(resource.fields, field) ? { field, order: order as Sort['order'] } : resource.sort,
  }
}
