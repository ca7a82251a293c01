import { plainText } from '@qd/core/fields'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { fitLine, type Line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'

const mostRows = 12

/** Texts to choose from, several of them: what is typed filters, Space chooses. `done` gets them in the order of the options. */
export function createOptionPicker(
  ui: Ui,
  request: {
    title: string
    options: readonly string[]
    chosen: readonly string[]
    done(chosen: readonly string[]): void
  },
): Overlay {
  const { title, options, done } = request
  const { t } = ui.workspace.translator
  const chosen = new Set(request.chosen)
  const input = createTextInput()
  let focus = 0
  let top = 0
  let shown = 0

  const listed = () => options.filter((option) => option.toLowerCase().includes(input.text.trim().toLowerCase()))
  const toggle = () => {
    const option = listed()[focus]
    if (option !== undefined && !chosen.delete(option)) chosen.add(option)
  }
  const move = (by: number) => {
    focus = Math.max(0, Math.min(listed().length - 1, focus + by))
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(8),
    PageUp: () => move(-8),
    Space: toggle,
    Tab() {
      toggle()
      move(1)
    },
    Enter() {
      ui.close(overlay)
      done(options.filter((option) => chosen.has(option)))
    },
  }
  const overlay: Overlay = {
    layer: 'menu',
    isTyping: () => true,
    closed: () => undefined,
    command: () => false,
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.done') },
      { chord: 'Space', label: t('ui.tui.hints.mark') },
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) key()
      else if (input.input(event)) focus = 0
      ui.changed()
    },
    spoken() {
      const all = listed()
      const option = all[focus] ?? t('ui.list.noResults')
      const text = [option, chosen.has(option) ? t('ui.tui.spoken.marked') : ''].filter(Boolean).join(', ')
      return [t('ui.tui.spoken.choice', { index: Math.min(focus + 1, all.length), count: all.length, text })]
    },
    click(row) {
      if (row < 1 || row > shown) return false
      focus = top + row - 1
      toggle()
      return true
    },
    draw({ columns, rows }) {
      const all = listed()
      const room = Math.max(1, Math.min(rows - 2, mostRows))
      shown = Math.min(room, all.length)
      top = Math.max(0, Math.min(focus - room + 1, all.length - room))
      const lines = all.slice(top, top + room).map((option, offset): Line => {
        const isFocused = top + offset === focus
        const drawn: Line = [
          span(isFocused ? ' ▌' : '  ', 'accent'),
          span(chosen.has(option) ? '[x] ' : '[ ] ', chosen.has(option) ? 'accent' : 'muted'),
          span(plainText(option), ...(isFocused ? (['bold'] as const) : [])),
        ]
        return isFocused ? withRoles(fitLine(drawn, columns), 'focus') : drawn
      })
      const none: Line[] = all.length === 0 ? [[span(`   ${t('ui.list.noResults')}`, 'muted')]] : []
      const search = spread(
        [span(' '), span('/', 'muted'), ...input.draw(columns - 20)],
        [span(`${all.length} `, 'muted')],
        columns,
      )
      return [
        ruleLine([span(title, 'bold')], columns, [span(t('ui.tui.list.chosen', { count: chosen.size }), 'muted')]),
        ...lines,
        ...none,
        search,
      ]
    },
  }
  return overlay
}
