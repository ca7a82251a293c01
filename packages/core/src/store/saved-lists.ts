import { type Observable, observable } from '@legendapp/state'
import type { Ports } from '../api/index.ts'
import type { Resource } from '../define/index.ts'
import { type SavedList, toSavedList } from '../view/index.ts'
import { toParts } from './remembered.ts'

export interface SavedLists {
  /** Of the signed-in user; saved on every change. */
  list$(resource: Resource): Observable<SavedList>
}

/** By user and list, `7:server`. Survives a sign-out, because it contains no record data. */
const storageKey = 'lists'

export function createSavedLists({ storage, who }: Pick<Ports, 'storage'> & { who(): number | null }): SavedLists {
  const known = new Map<string, Observable<SavedList>>()
  const read = () => toParts(storage.get(storageKey))
  return {
    list$(resource) {
      const key = `${who()}:${resource.name}`
      const found = known.get(key)
      if (found) return found
      const list$ = observable<SavedList>(toSavedList(read()[key]))
      list$.onChange(() => storage.set(storageKey, JSON.stringify({ ...read(), [key]: list$.peek() })))
      known.set(key, list$)
      return list$
    },
  }
}
