import type { Resource } from '@qd/core/define'
import { createContext } from 'react'

/** A record that is made while another form is open, for a field that names it. */
export interface InPlace {
  readonly resource: Resource
  /** What it is to be called, where that was typed already. */
  readonly title: string
  /** It was saved: its id, where that is known. */
  onSaved(id: number | null): void
  /** It is over, saved or not. */
  onEnd(): void
}

/** Opens the form of such a record over the one that is open, which stays as it is; null if no form is open. */
export const MakeInPlace = createContext<((making: InPlace) => void) | null>(null)
