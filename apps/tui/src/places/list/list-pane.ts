import type { Area } from '../../screen/state/screen.ts'
import { paneRows } from '../views/detail-pane.ts'

export type PaneState = ReturnType<typeof createPane>

export function createPane() {
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
    turn(area: Area) {
      focused = !focused && paneRows(area) > 0
    },
    leave() {
      focused = false
    },
    scroll(by: number) {
      top = Math.max(0, top + by)
    },
    /** Shows a record with `out` hidden lines; returns the first visible line. */
    settle(id: number, out: number) {
      top = focused && id === shown ? Math.max(0, Math.min(top, out)) : 0
      shown = id
      return top
    },
  }
}
