import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { line, span, wrapText } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'
import { boxed } from './confirm.ts'

const boxCells = 76

/** Shows an address to open in a browser and asks for the code that the page there shows at the end; null when it is left. */
export function askCode(ui: Ui, { title, address }: { title: string; address: string }): Promise<string | null> {
  const { t } = ui.workspace.translator
  const input = createTextInput()
  return new Promise((resolve) => {
    let answer: string | null = null
    const overlay: Overlay = {
      layer: 'confirm',
      isTyping: () => true,
      // Also over the sign-in, which Escape does not leave.
      command({ command }) {
        if (command === 'escape') ui.close(overlay)
        return command === 'escape'
      },
      closed: () => resolve(answer),
      // What Ctrl+y copies here is what has to go elsewhere.
      cliLine: () => address,
      hints: () => [
        { chord: 'Ctrl+y', label: t('ui.secret.copy') },
        { chord: 'Enter', label: t('ui.files.confirm') },
        { chord: 'Escape', label: t('ui.tui.hints.cancel') },
      ],
      input(event) {
        const text = input.text.trim()
        if (event.type !== 'key' || event.chord !== 'Enter') input.input(event)
        else if (text !== '') {
          answer = text
          ui.close(overlay)
        }
        ui.changed()
      },
      spoken: () => [
        t('ui.cli.login.open'),
        address,
        t('ui.tui.spoken.field', { name: t('ui.cli.login.paste'), text: input.text || t('ui.tui.spoken.empty') }),
      ],
      draw({ columns, rows }) {
        const cells = Math.min(boxCells, columns - 2)
        const inner = cells - 4
        const body = [
          ...wrapText(t('ui.cli.login.open'), inner).map((text) => line(text, 'muted')),
          ...wrapText(address, inner).map((text) => line(text)),
          [],
          ...wrapText(t('ui.cli.login.paste'), inner).map((text) => line(text, 'muted')),
          [span('› ', 'accent'), ...input.draw(inner - 4)],
        ]
        return boxed(title, body.slice(-(rows - 2)), { cells, columns })
      },
    }
    ui.open(overlay)
  })
}
