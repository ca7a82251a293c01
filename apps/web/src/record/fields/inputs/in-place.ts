import type { Resource } from '@qd/core/define'
import { createContext } from 'react'

/** A record that is created while another form is open, for a field that will name it. */
export interface InPlace {
  readonly resource: Resource
  /** Its name, if it was typed already. */
  readonly title: string
  /** Called when it was saved, with its id if that is known. */
  onSaved(id: number | null): void
  /** Called when its form closes, saved or not. */
  onEnd(): void
}

/** Opens the form of such a record over the one that is open, which stays as it is; null if no form is open. */
export const MakeInPlace = createContext<((making: InPlace) => void) | null>(null)
