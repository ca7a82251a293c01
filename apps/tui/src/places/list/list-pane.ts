import type { Area } from '../../screen/state/screen.ts'
import { paneRows } from '../views/detail-pane.ts'

/** Tab focuses the pane to scroll it. */
export interface PaneState {
  readonly focused: boolean
  readonly top: number
  turn(area: Area): void
  leave(): void
  scroll(by: number): void
  /** Shows a record with `out` hidden lines; returns the first visible line. */
  settle(id: number, out: number): number
}

export function createPane(): PaneState {
  let focused = false
  let shown = 0
  let top = 0
  return {
    get focused() {
      return focused
    },
    get top() {
      return top
    },
    turn(area) {
      focused = !focused && paneRows(area) > 0
    },
    leave() {
      focused = false
    },
    scroll(by) {
      top = Math.max(0, top + by)
    },
    settle(id, out) {
      top = focused && id === shown ? Math.max(0, Math.min(top, out)) : 0
      shown = id
      return top
    },
  }
}
