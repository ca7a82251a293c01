import type { AnyRow, Resource } from '@qd/core/define'
import type { Area } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import type { Line } from '../terminal/line.ts'
import { withRoles } from '../terminal/line.ts'
import { paneLines, paneRows } from '../views/detail-pane.ts'

/** The pane below a list: the focused record, which Tab goes into to scroll it. */
export interface ListPane {
  readonly focused: boolean
  /** Into it or out of it; false if there is no room for one. */
  turn(area: Area): boolean
  leave(): void
  scroll(by: number): void
  draw(row: AnyRow, area: Area): readonly Line[]
}

/** A pane at its beginning. */
export function createListPane(ui: Ui, resource: Resource): ListPane {
  let focused = false
  let shown = 0
  let top = 0
  return {
    get focused() {
      return focused
    },
    turn(area) {
      if (paneRows(area) === 0) return false
      focused = !focused
      return true
    },
    leave() {
      focused = false
    },
    scroll(by) {
      top = Math.max(0, top + by)
    },
    draw(row, area) {
      const rows = paneRows(area)
      if (rows === 0) {
        focused = false
        return []
      }
      if (row.id !== shown) top = 0
      shown = row.id
      const [title = [], ...lines] = paneLines(ui, { resource, row, columns: area.columns, rows, whole: focused })
      top = focused ? Math.max(0, Math.min(top, lines.length - rows + 1)) : 0
      return [focused ? withRoles(title, 'accent') : title, ...lines.slice(top, top + rows - 1)]
    },
  }
}
