import { createContext, useContext } from 'react'
import { type Look, plainLook } from '../terminal/look.ts'

/** How this terminal shows things, for all components below; text alone where nobody says. */
export const LookContext = createContext<Look>(plainLook)

/** How this terminal shows things. */
export function useLook(): Look {
  return useContext(LookContext)
}
