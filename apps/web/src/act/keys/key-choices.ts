import { type Observable, observable } from '@legendapp/state'
import { ports } from '../../base/ports.ts'
import { session } from '../../base/state/stores.ts'

/** What a person set about keys, kept in this browser by user (behaviours P-02 and P-35). */
export interface KeyChoices {
  /** Chord that opens the palette in place of the usual one; null: the usual one. */
  palette: string | null
  /** Keys without a modifier do something (WCAG 2.1.4). */
  singleKeys: boolean
}

/** Key of the storage: JSON, choices by the id of the user. */
const storageKey = 'keys'
const usual: KeyChoices = { palette: null, singleKeys: true }
/** Rises with every change, so that hints follow. */
const version$: Observable<number> = observable(0)

function all(): Record<string, Partial<KeyChoices>> {
  try {
    const saved: unknown = JSON.parse(ports.storage.get(storageKey) ?? '{}')
    return typeof saved === 'object' && saved !== null ? { ...saved } : {}
  } catch {
    return {}
  }
}
const who = () => String(session.state$.profile.get()?.id ?? 0)

/** What this person set. Tracked inside an observing context. */
export function keyChoices(): KeyChoices {
  version$.get()
  return { ...usual, ...all()[who()] }
}

/** Changes what this person set. */
export function setKeyChoices(changes: Partial<KeyChoices>): void {
  const user = who()
  const saved = all()
  ports.storage.set(storageKey, JSON.stringify({ ...saved, [user]: { ...saved[user], ...changes } }))
  version$.set((version) => version + 1)
}
