import { type Observable, observable } from '@legendapp/state'
import type { Cancel, Ports } from '../api/index.ts'
import type { Resource } from '../define/index.ts'
import { defined, isObject, parseJson } from '../errors.ts'
import { type SavedList, toSavedList } from '../view/index.ts'

/** Storage keys of the product spec, each one JSON text of named parts. */
export type RememberedKey = 'main' | 'notification' | 'server'

/** Values that outlive the program. Never secrets. */
export interface Remembered {
  read(key: RememberedKey, part: string): unknown
  /** Writes with a delay; `undefined` deletes the part. */
  write(key: RememberedKey, part: string, value: unknown): void
  clear(): void
  /** Writes immediately, before a page or program closes. */
  flush(): void
}

const keys: readonly RememberedKey[] = ['main', 'notification', 'server']
const delayMs = 2000
/** Browsers give a site 5 MB for all keys, so a larger store is not written. */
const maxChars = 1_500_000

export function createRemembered({ storage, setTimer }: Pick<Ports, 'storage' | 'setTimer'>): Remembered {
  const stores = new Map(keys.map((key) => [key, toParts(storage.get(key))]))
  const waiting = new Set<RememberedKey>()
  let cancel: Cancel = () => undefined

  const flush = () => {
    cancel()
    for (const key of waiting) {
      const text = JSON.stringify(stores.get(key))
      if (text.length <= maxChars) storage.set(key, text)
      else storage.delete(key)
    }
    waiting.clear()
  }
  return {
    read: (key, part) => defined(stores.get(key))[part],
    write(key, part, value) {
      defined(stores.get(key))[part] = value
      if (waiting.size === 0) cancel = setTimer(flush, delayMs)
      waiting.add(key)
    },
    clear() {
      cancel()
      waiting.clear()
      for (const key of keys) {
        stores.set(key, {})
        storage.delete(key)
      }
    },
    flush,
  }
}

/** The named values of a stored JSON text; none if it can’t be read. */
export function toParts(text: string | null): Record<string, unknown> {
  const parts = parseJson(text ?? '{}')
  return isObject(parts) ? { ...parts } : {}
}

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
