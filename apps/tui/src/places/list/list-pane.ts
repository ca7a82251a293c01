import type { Resource } from '@qd/core/define'
import { createState } from '../../screen/state/observed.ts'
import type { Area } from '../../screen/state/screen.ts'
import { paneRows } from '../views/detail-pane.ts'

/** Narrower lists have no head and no meters. */
const compactBelow = 72

export function isCompact({ columns }: Pick<Area, 'columns'>): boolean {
  return columns < compactBelow
}

/** Lines above the first row; records of hosts have one more, which says who answered. */
export function listHead(area: Area, { host }: Pick<Resource, 'host'>): number {
  return (isCompact(area) ? 1 : 2) + (host ? 1 : 0)
}

export function listRoom(area: Area, resource: Pick<Resource, 'host'>): number {
  return Math.max(1, area.rows - listHead(area, resource) - paneRows(area))
}

export type PaneState = ReturnType<typeof createPane>

export function createPane() {
  const state = createState({ focused: false, top: 0 })
  let shown = 0
  return {
    get focused() {
      return state.focused
    },
    get top() {
      return state.top
    },
    turn(area: Area) {
      state.focused = !state.focused && paneRows(area) > 0
    },
    leave() {
      state.focused = false
    },
    scroll(by: number) {
      state.top = Math.max(0, state.top + by)
    },
    /** Shows a record with `out` hidden lines; returns the first visible line. */
    settle(id: number, out: number) {
      state.top = state.focused && id === shown ? Math.max(0, Math.min(state.top, out)) : 0
      shown = id
      return state.top
    },
  }
}
