import { copy } from '../app/copy.ts'
import type { Overlay } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { type Line, line, wrapText } from '../terminal/line.ts'
import { boxed } from './confirm.ts'

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
  const { t } = ui.desk.translator
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => ui.close(overlay),
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
    },
    spoken: () => [title, help, text].filter(Boolean),
    draw({ columns }) {
      const cells = Math.min(boxCells, columns - 2)
      const above: Line[] = help === '' ? [] : [...wrapText(help, cells - 4).map((one) => line(one, 'muted')), []]
      return boxed(title, [...above, ...wrapText(text, cells - 4).map((one) => line(one, 'bold'))], { cells, columns })
    },
  }
  ui.open(overlay)
}
