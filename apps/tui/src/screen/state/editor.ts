import { editInEditor } from '../../base/editor.ts'
import type { Ui } from './ui.ts'

/** Lets the person change a text in their own editor, which gets the whole terminal meanwhile. Returns the new text, null when the editor gave up. Errors: `failed` when it does not start. */
export async function editText(ui: Ui, text: string, name: string): Promise<string | null> {
  try {
    return await ui.terminal.lend(() => editInEditor(ui.io, text, name))
  } finally {
    ui.changed()
  }
}
