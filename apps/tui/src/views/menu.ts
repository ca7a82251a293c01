import { widthOf } from '../output/width.ts'
import { keyText } from '../state/key-text.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, fitLine, type Line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'

/** One line of a menu. */
export interface MenuItem {
  readonly label: string
  /** Muted, behind the label. */
  readonly detail?: string
  /** A key that chooses it while the menu is open. */
  readonly chord?: string | null
  /** Why it cannot be chosen now. */
  readonly reason?: string | null
  /** It is the present choice. */
  readonly chosen?: boolean
  run(): void
}

function spokenItem({ workspace }: Ui, items: readonly MenuItem[], focus: number): string[] {
  const item = items[focus]
  if (!item) return []
  const text = [item.label, item.reason ?? item.detail ?? ''].filter(Boolean).join(', ')
  return [workspace.translator.t('ui.tui.spoken.choice', { index: focus + 1, count: items.length, text })]
}

/** A list of choices at the foot of the screen. `onClosed` comes before what was chosen runs. */
export function createMenu(
  ui: Ui,
  title: string,
  items: readonly MenuItem[],
  onClosed: () => void = () => undefined,
): Overlay {
  let focus = Math.max(
    0,
    items.findIndex(({ chosen }) => chosen),
  )
  let top = 0
  const choose = (item: MenuItem | undefined) => {
    if (!item) return
    if (item.reason) return ui.say(item.reason, 'warn')
    ui.close(menu)
    item.run()
  }
  const move = (by: number) => {
    focus = (focus + by + items.length) % items.length
    ui.changed()
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    Tab: () => move(1),
    ArrowUp: () => move(-1),
    'Shift+Tab': () => move(-1),
    Home: () => move(-focus),
    End: () => move(items.length - 1 - focus),
    Enter: () => choose(items[focus]),
  }
  const menu: Overlay = {
    layer: 'menu',
    isTyping: () => false,
    hints: () => [
      { chord: 'Enter', label: ui.workspace.translator.t('ui.tui.hints.choose') },
      { chord: 'Escape', label: ui.workspace.translator.t('ui.tui.hints.back') },
    ],
    command: () => false,
    closed: onClosed,
    input(event) {
      if (event.type !== 'key') return
      // Enter is a key of the menu, also where it is that of an action.
      const own = keys[event.chord]
      const chosen = items.find(({ chord }) => chord === event.chord)
      if (own) own()
      else if (chosen) choose(chosen)
      else keys[{ j: 'ArrowDown', k: 'ArrowUp' }[event.chord] ?? '']?.()
    },
    spoken: () => [ui.workspace.translator.t('ui.tui.spoken.menu', { text: title }), ...spokenItem(ui, items, focus)],
    click(row) {
      const at = top + row - 1
      if (row < 1 || !items[at]) return false
      focus = at
      return true
    },
    draw({ columns, rows }) {
      const labelCells = Math.min(40, Math.max(...items.map(({ label }) => widthOf(label))) + 2)
      const room = Math.max(1, rows - 1)
      top = Math.max(0, Math.min(focus - room + 1, items.length - room))
      const lines = items.slice(top, top + room).map((item, offset) => {
        const isFocused = top + offset === focus
        const off = item.reason ? (['muted'] as const) : []
        const text: Line = [
          span(isFocused ? ' ▌ ' : '   ', 'accent'),
          span(item.chosen ? '✓ ' : '  ', 'accent'),
          ...fitLine([span(item.label, ...off, ...(isFocused ? (['bold'] as const) : []))], labelCells),
          span(item.reason ?? item.detail ?? '', 'muted'),
        ]
        const key = item.chord ? [span(keyText(ui, item.chord), 'key'), blank(1)] : []
        const line = spread(text, key, columns)
        return isFocused ? withRoles(line, 'focus') : line
      })
      return [ruleLine([span(title, 'bold')], columns), ...lines]
    },
  }
  return menu
}
