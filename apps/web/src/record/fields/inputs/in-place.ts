import type { Resource } from '@qd/core/define'
import { createContext } from 'react'

/** A record created from another open form, for a field that will reference it. */
export interface InPlace {
  readonly resource: Resource
  /** Its name, if it was typed already. */
  readonly title: string
  onSaved(id: number | null): void
  onEnd(): void
}

/** Opens a form over the current one, which keeps its state; null if no form is open. */
export const MakeInPlace = createContext<((making: InPlace) => void) | null>(null)
