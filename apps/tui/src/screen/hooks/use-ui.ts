import { createContext, useContext } from 'react'
import type { Ui } from '../state/ui.ts'

/** The state of the program, for all components below. */
export const UiContext = createContext<Ui | null>(null)

/** The state of the program and what it can do: say something, open and close, go elsewhere. */
export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === null) throw new Error('There is no UiContext above this component')
  return ui
}
