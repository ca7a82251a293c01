import { plainText } from '@qd/core/fields'
import type { Ui } from './ui.ts'

/** Puts a text on the clipboard of the terminal (OSC 52) and says so; where the terminal does not take it, the text can be read. */
export function copy(ui: Ui, text: string): void {
  const { t } = ui.desk.translator
  if (text === '') {
    ui.say(t('ui.toast.textEmpty'), 'warn')
    return
  }
  ui.terminal.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
  ui.say(t('ui.toast.copied', { text: plainText(text) }), 'ok')
}
