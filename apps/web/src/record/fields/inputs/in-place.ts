import type { Resource } from '@qd/core/define'
import { createContext } from 'react'

export interface InPlace {
  readonly resource: Resource
  readonly title: string
  onSaved(id: number | null): void
  onEnd(): void
}

/** Opens a form over the current one, which keeps its state; null if no form is open. */
export const MakeInPlace = createContext<((making: InPlace) => void) | null>(null)
