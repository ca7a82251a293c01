import { dirname, join } from 'node:path'
import { toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { writePrivate } from '../../base/connect/private-file.ts'
import type { Ui } from './ui.ts'

/** Terminals drop or hang on more. */
const maxBytes = 75_000
/** Longer or multi-line texts are reported by their line count. */
const shortText = 200

/** Copies by OSC 52. Shows the text if the terminal doesn't support it; writes a private file if it is too long. */
export function copy(ui: Ui, text: string): void {
  const { t } = ui.workspace.translator
  if (text === '') {
    ui.say(t('ui.toast.textEmpty'), 'warn')
    return
  }
  const bytes = Buffer.from(text)
  if (bytes.length > maxBytes) {
    keep(ui, text, bytes.length)
    return
  }
  ui.terminal.stdout.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`)
  const isShort = text.length <= shortText && !text.trimEnd().includes('\n')
  ui.say(
    isShort
      ? t('ui.toast.copied', { text: plainText(text.trimEnd()) })
      : t('ui.tui.copiedLines', { count: linesOf(text) }),
    'ok',
  )
}

function keep(ui: Ui, text: string, bytes: number): void {
  const { translator, format, settings } = ui.workspace
  const path = join(dirname(settings.paths.sessions), 'copied.txt')
  try {
    writePrivate(path, text)
    ui.say(translator.t('ui.tui.copiedToFile', { size: format.bytes(bytes), path }), 'ok')
  } catch (thrown) {
    ui.fail(toAppError(thrown))
  }
}

function linesOf(text: string): number {
  return (text.match(/\n/g)?.length ?? 0) + (text.endsWith('\n') ? 0 : 1)
}
