import { copy } from '../state/copy.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { type Line, line, wrapText } from '../terminal/line.ts'
import { boxed } from './confirm.ts'
import { outputLines } from './output-tail.ts'
import { createTextScroll } from './text-scroll.ts'

/** A text to be read and copied. */
export interface ShownText {
  readonly title: string
  /** Above the text; empty for none. */
  readonly help: string
  readonly text: string
  /** What Enter says. */
  readonly close: string
  /** It is never shown again: Escape does not throw it away. */
  readonly isOnce: boolean
}

const boxCells = 72

/** Shows a text in a box over the screen, until the person says that it is enough. */
export function showText(ui: Ui, { title, help, text, close, isOnce }: ShownText): void {
  const { t } = ui.workspace.translator
  const view = createTextScroll(outputLines(text), { isAtEnd: false })
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => ui.close(overlay),
    ArrowDown: () => view.scroll(1),
    ArrowUp: () => view.scroll(-1),
    y: () => copy(ui, text),
    c: () => copy(ui, text),
  }
  const overlay: Overlay = {
    layer: 'confirm',
    isTyping: () => true,
    command: ({ command }) => isOnce && command === 'escape',
    closed: () => undefined,
    hints: () => [
      { chord: 'y', label: t('ui.secret.copy') },
      { chord: 'Enter', label: close },
    ],
    input(event) {
      if (event.type === 'key') keys[event.chord]?.()
      ui.changed()
    },
    spoken: () => [title, help, text].filter(Boolean),
    draw({ columns, rows }) {
      const cells = Math.min(boxCells, columns - 2)
      const above: Line[] = help === '' ? [] : [...wrapText(help, cells - 4).map((one) => line(one, 'muted')), []]
      view.resize(cells - 4, Math.max(1, rows - above.length - 2))
      return boxed(title, [...above, ...view.rows().map((row) => line(row.text, 'bold'))], { cells, columns })
    },
  }
  ui.open(overlay)
}
