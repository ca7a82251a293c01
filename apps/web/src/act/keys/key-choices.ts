import { type Observable, observable } from '@legendapp/state'
import { ports } from '../../base/ports.ts'
import { session } from '../../base/state/stores.ts'

/** Key preferences, stored in this browser by user (behaviours P-02 and P-35). */
export interface KeyChoices {
  palette: string | null
  /** Whether keys without a modifier do something (WCAG 2.1.4). */
  singleKeys: boolean
}

const storageKey = 'keys'
const usual: KeyChoices = { palette: null, singleKeys: true }
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

export function keyChoices(): KeyChoices {
  version$.get()
  return { ...usual, ...all()[who()] }
}

export function setKeyChoices(changes: Partial<KeyChoices>): void {
  const user = who()
  const saved = all()
  ports.storage.set(storageKey, JSON.stringify({ ...saved, [user]: { ...saved[user], ...changes } }))
  version$.set((version) => version + 1)
}
