import type { Area } from '../../screen/state/screen.ts'
import { paneRows } from '../views/detail-pane.ts'

/** Narrower lists have no head and no meters. */
const compactBelow = 72

export function isCompact({ columns }: Pick<Area, 'columns'>): boolean {
  return columns < compactBelow
}

export function listHead(area: Area): number {
  return isCompact(area) ? 1 : 2
}

export function listRoom(area: Area): number {
  return Math.max(1, area.rows - listHead(area) - paneRows(area))
}
