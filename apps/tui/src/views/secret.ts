import { copy } from '../app/copy.ts'
import type { Overlay } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { line, wrapText } from '../terminal/line.ts'
import { boxed } from './confirm.ts'

const boxCells = 72

/** Shows a text that is never shown again, until the person says that it is kept. */
export function showSecret(ui: Ui, { label, text }: { label: string; text: string }): void {
  const { t } = ui.desk.translator
  const title = `${label}: ${t('ui.secret.title')}`
  const keys: Readonly<Record<string, () => void>> = {
    Enter: () => ui.close(overlay),
    y: () => copy(ui, text),
    c: () => copy(ui, text),
  }
  const overlay: Overlay = {
    layer: 'confirm',
    isTyping: () => true,
    command: () => false,
    closed: () => undefined,
    hints: () => [
      { chord: 'y', label: t('ui.secret.copy') },
      { chord: 'Enter', label: t('ui.secret.saved') },
    ],
    // Escape would throw away what cannot be had again.
    input(event) {
      if (event.type === 'key') keys[event.chord]?.()
    },
    spoken: () => [title, t('ui.secret.help'), text],
    draw({ columns }) {
      const cells = Math.min(boxCells, columns - 2)
      const help = wrapText(t('ui.secret.help'), cells - 4).map((one) => line(one, 'muted'))
      return boxed(title, [...help, [], ...wrapText(text, cells - 4).map((one) => line(one, 'bold'))], {
        cells,
        columns,
      })
    },
  }
  ui.open(overlay)
}
