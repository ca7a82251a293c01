import { type Observable, observable } from '@legendapp/state'
import type { AnyRow, Resource, ResourceName } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { listOf } from './list-state.ts'
import { records } from './stores.ts'

/** What the page on screen is about. */
export interface Page {
  /** The resource whose list or record is shown; null for pages of their own. */
  resource: ResourceName | null
  /** The record that fills the page or its panel; null for a list. */
  open: number | null
}

/** What the page on screen is about; the screens set it. */
export const page$: Observable<Page> = observable<Page>({ resource: null, open: null })

/** The resource of the page, without subscribing. */
export function pageResource(): Resource | null {
  const { resource } = page$.peek()
  return resource === null ? null : (resourceByName(resource) ?? null)
}

/** The records that keys and the palette act on: the marked ones, else the open one, else the one at the cursor. Tracked where observed. */
export function pageRows(): readonly AnyRow[] {
  const { resource: name, open } = page$.get()
  const resource = name === null ? undefined : resourceByName(name)
  if (!resource) return []
  const { marks, cursor } = listOf(resource)
  const ids = marks.size > 0 ? [...marks] : [open ?? cursor]
  return ids.flatMap((id) => (id === null ? [] : (records.peek(resource.name, id) ?? [])))
}
