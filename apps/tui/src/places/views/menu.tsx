import { observable } from '@legendapp/state'
import { useArea, useValue } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { Menu, type MenuLine, menuRoom } from '../../screen/ui/Menu.tsx'
import { pressedAt } from '../../screen/ui/rows.tsx'

export interface MenuItem extends MenuLine {
  run(): void
}

function spokenItem({ workspace }: Ui, items: readonly MenuItem[], focus: number): string[] {
  const item = items[focus]
  if (!item) return []
  const text = [item.label, item.reason ?? item.detail ?? ''].filter(Boolean).join(', ')
  return [workspace.translator.t('ui.tui.spoken.choice', { index: focus + 1, count: items.length, text })]
}

/** `onClosed` runs before the choice. */
export function createMenu(
  ui: Ui,
  title: string,
  items: readonly MenuItem[],
  onClosed: () => void = () => undefined,
): Overlay {
  const { t } = ui.workspace.translator
  const focus$ = observable(
    Math.max(
      0,
      items.findIndex(({ chosen }) => chosen),
    ),
  )
  const choose = (item: MenuItem | undefined) => {
    if (!item) return
    if (item.reason) return ui.say(item.reason, 'warn')
    ui.close(menu)
    item.run()
  }
  const move = (by: number) => focus$.set((focus$.get() + by + items.length) % items.length)
  const keys = {
    ArrowDown: () => move(1),
    Tab: () => move(1),
    ArrowUp: () => move(-1),
    'Shift+Tab': () => move(-1),
    Home: () => focus$.set(0),
    End: () => focus$.set(items.length - 1),
    Enter: () => choose(items[focus$.get()]),
  }
  function Shown() {
    return <Menu title={title} items={items} focus={useValue(focus$)} {...useArea()} />
  }
  const menu: Overlay = {
    layer: 'menu',
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.choose') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    closed: onClosed,
    // Enter is the menu's even if it is the action's key.
    keys,
    input(event) {
      if (event.type !== 'key') return
      const chosen = items.find(({ chord }) => chord === event.chord)
      if (chosen) choose(chosen)
      else if (event.chord === 'j') move(1)
      else if (event.chord === 'k') move(-1)
    },
    spoken: () => [t('ui.tui.spoken.menu', { text: title }), ...spokenItem(ui, items, focus$.get())],
    click(row, _column, { rows }) {
      const at = pressedAt(row, { count: items.length, focus: focus$.get(), room: menuRoom(rows) })
      if (at === null) return false
      focus$.set(at)
      return true
    },
    View: Shown,
  }
  return menu
}
