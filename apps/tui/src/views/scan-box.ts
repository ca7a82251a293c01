import { qrLines } from '@qd/core/view'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { type Line, line } from '../terminal/line.ts'

/** Shows a text as a QR code over the whole screen, without a frame: at 80x24 every line counts. Enter and Escape go on. */
export function showScan(ui: Ui, { text, about }: { text: string; about: string }): void {
  const { t } = ui.workspace.translator
  const drawn = qrLines(text)
  const overlay: Overlay = {
    layer: 'confirm',
    isTyping: () => true,
    command: () => false,
    closed: () => undefined,
    hints: () => [{ chord: 'Enter', label: t('ui.tui.hints.next') }],
    input(event) {
      if (event.type === 'key' && (event.chord === 'Enter' || event.chord === 'Escape')) ui.close(overlay)
      ui.changed()
    },
    spoken: () => [about],
    draw({ columns, rows }) {
      const width = drawn[0]?.length ?? 0
      const left = ' '.repeat(Math.max(0, Math.floor((columns - width) / 2)))
      const code = drawn.map((row): Line => line(left + row))
      return code.length <= rows && width <= columns ? code : [line(` ${about}`)]
    },
  }
  ui.open(overlay)
}
