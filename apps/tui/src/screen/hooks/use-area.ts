import { createContext, useContext } from 'react'
import type { Area } from '../state/screen.ts'

/** The room of a screen, and the most that something over it may take. */
export const AreaContext = createContext<Area>({ columns: 80, rows: 20 })

/** The room of a screen, in cells. What lies over it takes at most so many rows. */
export function useArea(): Area {
  return useContext(AreaContext)
}
