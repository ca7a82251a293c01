import { type Observable, observable } from '@legendapp/state'
import type { AnyRow, Resource, ResourceName } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { listOf } from './list-state.ts'
import { records } from './stores.ts'

export interface Page {
  resource: ResourceName | null
  open: number | null
}

export const page$: Observable<Page> = observable<Page>({ resource: null, open: null })

export function pageResource(): Resource | null {
  const { resource } = page$.peek()
  return resource === null ? null : (resourceByName(resource) ?? null)
}

/** The rows that keys and the palette act on: selected, else open, else focused. Tracked where observed. */
export function pageRows(): readonly AnyRow[] {
  const { resource: name, open } = page$.get()
  const resource = name === null ? undefined : resourceByName(name)
  if (!resource) return []
  const { marks, cursor } = listOf(resource)
  const ids = marks.size > 0 ? [...marks] : [open ?? cursor]
  return ids.flatMap((id) => (id === null ? [] : (records.peek(resource.name, id) ?? [])))
}
