import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { plainText } from '@qd/core/fields'
import { Box } from 'ink'
import { useArea } from '../hooks/use-area.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { firstInSight } from '../ui/first-in-sight.ts'
import { fitText } from '../ui/fit.ts'
import { Rule } from '../ui/Rule.tsx'
import { SearchLine } from '../ui/SearchLine.tsx'
import { Words } from '../ui/Words.tsx'

const mostRows = 12

/** Rows for the options: a title and a search line stand around them. */
function roomOf(rows: number): number {
  return Math.max(1, Math.min(rows - 2, mostRows))
}

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
  const chosen$ = observable<readonly string[]>(request.chosen)
  const input = createTextInput()
  const focus$ = observable(0)

  const listed = () => options.filter((option) => option.toLowerCase().includes(input.text.trim().toLowerCase()))
  const toggle = () => {
    const option = listed()[focus$.peek()]
    const chosen = chosen$.peek()
    if (option !== undefined)
      chosen$.set(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
  }
  const move = (by: number) => focus$.set(Math.max(0, Math.min(listed().length - 1, focus$.peek() + by)))
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
      done(options.filter((option) => chosen$.peek().includes(option)))
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
      else if (input.input(event)) focus$.set(0)
    },
    spoken() {
      const all = listed()
      const focus = focus$.peek()
      const option = all[focus] ?? t('ui.list.noResults')
      const text = [option, chosen$.peek().includes(option) ? t('ui.tui.spoken.marked') : ''].filter(Boolean).join(', ')
      return [t('ui.tui.spoken.choice', { index: Math.min(focus + 1, all.length), count: all.length, text })]
    },
    click(row, _column, { rows }) {
      const count = listed().length
      const room = roomOf(rows)
      if (row < 1 || row > Math.min(room, count)) return false
      focus$.set(firstInSight(count, focus$.peek(), room) + row - 1)
      toggle()
      return true
    },
    view: () => <Shown />,
  }
  function Shown() {
    const all = useValue(() => input.version$.get() !== -1 && listed()) || []
    const focus = useValue(focus$)
    const chosen = useValue(chosen$)
    const { columns, rows } = useArea()
    const room = roomOf(rows)
    const top = firstInSight(all.length, focus, room)
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Rule title={title} cells={columns} right={t('ui.tui.list.chosen', { count: chosen.length })} />
        {all.slice(top, top + room).map((option, row) => (
          <Option
            key={option}
            text={option}
            isFocused={top + row === focus}
            isChosen={chosen.includes(option)}
            columns={columns}
          />
        ))}
        {all.length === 0 && <Words look="muted">{`   ${t('ui.list.noResults')}`}</Words>}
        <SearchLine
          mark=" /"
          look="muted"
          input={input}
          columns={columns}
          cells={columns - 20}
          right={`${all.length} `}
        />
      </Box>
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
    <Words look={isFocused ? 'focus' : 'text'}>
      <Words look="accent">{isFocused ? ' ▌' : '  '}</Words>
      <Words look={isChosen ? 'accent' : 'muted'}>{isChosen ? '[x] ' : '[ ] '}</Words>
      <Words bold={isFocused}>{fitText(plainText(text), columns - 6)}</Words>
    </Words>
  )
}
