import { createContext, useContext } from 'react'

/** Rises with every change that somebody told of by `ui.changed()`, and with each second. */
export const BeatContext = createContext(0)

/** Draws the component with every beat: for what shows the time, or a store that is no observable. */
export function useBeat(): number {
  return useContext(BeatContext)
}
