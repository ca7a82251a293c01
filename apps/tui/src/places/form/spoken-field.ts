import { fieldKey } from '@qd/core/define'
import { problemSentence } from '@qd/core/i18n'
import type { FormField, FormModel } from '@qd/core/view'
import type { Ui } from '../../screen/state/ui.ts'
import { lineText } from '../../screen/terminal/line.ts'
import { helpOf, inputLines } from './form-field.ts'

/** The field that has the focus: label, value, what is wrong with it or how it is filled in. */
export function spokenField(ui: Ui, model: FormModel, field: FormField): string[] {
  const { t, say } = ui.workspace.translator
  const value = inputLines({ ui, model, field, focused: false, input: null, cells: 200 }).map(lineText).join(' ').trim()
  const problem =
    field.problem && t('ui.tui.spoken.error', { text: problemSentence(ui.workspace.translator, field.problem) })
  const help = helpOf(ui, model.shape, field)
  return [
    t('ui.tui.spoken.field', {
      name: say(fieldKey(model.shape, field.field)),
      text: value || t('ui.tui.spoken.empty'),
    }),
    ...(problem ? [problem] : help ? [help] : []),
  ]
}
