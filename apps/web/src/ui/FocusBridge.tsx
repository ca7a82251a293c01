import { type RefObject, useContext, useEffect } from 'react'
import { TableStateContext } from 'react-aria-components'

/** Moves the keyboard's focus to a row, which scrolls it into view. */
export type MoveFocus = (id: number) => void

/** Lives inside a table and hands out the means to move its focus; draws nothing. */
export function FocusBridge({ move }: { move: RefObject<MoveFocus | null> }) {
  const state = useContext(TableStateContext)
  useEffect(() => {
    if (!state) return
    move.current = (id) => {
      state.selectionManager.setFocused(true)
      state.selectionManager.setFocusedKey(id)
    }
    return () => {
      move.current = null
    }
  }, [state, move])
  return null
}
