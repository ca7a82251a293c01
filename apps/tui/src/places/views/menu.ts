import { widthOf } from '../../base/output/width.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { span } from '../../screen/terminal/line.ts'
import { createList, type ListRow } from './list-overlay.tsx'

export interface MenuItem extends ListRow {
  readonly label: string
  readonly chosen?: boolean
  run(): void
}

const widestLabel = 40

/** `onClosed` runs before the choice. */
export function createMenu(ui: Ui, title: string, items: readonly MenuItem[], onClosed?: () => void): Overlay {
  const choose = (item: MenuItem | undefined) => {
    if (!item) return
    if (item.reason) return ui.say(item.reason, 'warn')
    ui.close(list.overlay)
    item.run()
  }
  const labelCells = Math.min(widestLabel, Math.max(0, ...items.map(({ label }) => widthOf(label))) + 2)
  const list = createList(ui, {
    title: () => title,
    items: () => items,
    show: (item) => ({ ...item, marks: [span(item.chosen ? '✓ ' : '  ', 'accent')] }),
    none: () => '',
    start: items.findIndex(({ chosen }) => chosen),
    goesRound: true,
    labelCells: () => labelCells,
    // Enter is the menu’s even if it is the action’s key.
    keys: {
      Enter: { hint: 'choose', run: () => choose(list.focused()) },
      Tab: () => list.next(),
      'Shift+Tab': () => list.previous(),
    },
    letters: Object.fromEntries(items.flatMap((item) => (item.chord ? [[item.chord, () => choose(item)]] : []))),
    overlay: { closed: onClosed },
  })
  return list.overlay
}
