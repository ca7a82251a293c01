import { observable } from '@legendapp/state'
import { plainText } from '@qd/core/fields'
import { useArea, useValue } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { firstVisible, fitText, pressedAt, Words } from '../../screen/ui/rows.tsx'
import { PickBox } from './picker.tsx'
import { createRowFocus, createSearchField } from './search-field.ts'

const maxRows = 12

/** Rows besides title and search line. */
function roomOf(rows: number): number {
  return Math.max(1, Math.min(rows - 2, maxRows))
}

/** Space selects, `/` filters. `done` gets texts in the order of options. */
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
  const chosen$ = observable<readonly string[]>(request.chosen)
  const search = createSearchField({ onText: () => focus$.set(0) })
  const { input, isIn$ } = search
  const listed = () => options.filter((option) => option.toLowerCase().includes(input.text.trim().toLowerCase()))
  const { focus$, move, moves, letters } = createRowFocus(() => listed().length - 1)
  const toggle = () => {
    const option = listed()[focus$.get()]
    const chosen = chosen$.get()
    if (option !== undefined)
      chosen$.set(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
  }
  const keys: Readonly<Record<string, () => void>> = {
    ...moves,
    Space: toggle,
    Tab() {
      toggle()
      move(1)
    },
    Enter() {
      ui.close(overlay)
      done(options.filter((option) => chosen$.get().includes(option)))
    },
  }
  const outer: Readonly<Record<string, () => void>> = { ...letters, x: toggle }
  const overlay: Overlay = {
    layer: 'menu',
    isTyping: () => isIn$.get(),
    hints: () => [
      { chord: 'Enter', label: t('ui.tui.hints.done') },
      { chord: 'Space', label: t('ui.tui.hints.mark') },
      ...(isIn$.get() ? [] : [{ chord: '/', label: t('ui.tui.hints.filter') }]),
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    get keys() {
      return search.keys({ keys, letters: outer })
    },
    input: search.take,
    spoken() {
      const all = listed()
      const focus = focus$.get()
      const option = all[focus] ?? t('ui.list.noResults')
      const text = [option, chosen$.get().includes(option) ? t('ui.tui.spoken.marked') : ''].filter(Boolean).join(', ')
      return [t('ui.tui.spoken.choice', { index: Math.min(focus + 1, all.length), count: all.length, text })]
    },
    click(row, _column, { rows }) {
      const at = pressedAt(row, { count: listed().length, focus: focus$.get(), room: roomOf(rows) })
      if (at === null) return false
      focus$.set(at)
      toggle()
      return true
    },
    View: Shown,
  }
  function Shown() {
    const all = useValue(listed)
    const focus = useValue(focus$)
    const chosen = useValue(chosen$)
    const { columns, rows } = useArea()
    const room = roomOf(rows)
    const top = firstVisible(all.length, focus, room)
    return (
      <PickBox title={title} chosen={chosen.length} count={all.length} search={search}>
        {all.slice(top, top + room).map((option, row) => (
          <Option
            key={option}
            text={option}
            isFocused={top + row === focus}
            isChosen={chosen.includes(option)}
            columns={columns}
          />
        ))}
      </PickBox>
    )
  }
  return overlay
}

interface OptionProps {
  readonly text: string
  readonly isFocused: boolean
  readonly isChosen: boolean
  readonly columns: number
}

function Option({ text, isFocused, isChosen, columns }: OptionProps) {
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{isFocused ? ' ▌' : '  '}</Words>
      <Words styleRole={isChosen ? 'accent' : 'muted'}>{isChosen ? '[x] ' : '[ ] '}</Words>
      <Words bold={isFocused}>{fitText(plainText(text), columns - 6)}</Words>
    </Words>
  )
}
