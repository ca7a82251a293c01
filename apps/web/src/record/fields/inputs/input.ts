import { fieldKey, textKey } from '@qd/core/define'
import { problemSentence } from '@qd/core/i18n'
import type { FormField, FormModel } from '@qd/core/view'
import { afterPress } from '../../../base/hooks/after-press.ts'
import { useTexts } from '../../../base/state/texts.ts'

/** What every input of a form is given. `edit` changes the model and draws the form again. */
export interface InputProps {
  form: FormModel
  shown: FormField
  edit: (change: () => void) => void
}

/** Label, help and problem of a field, in words, and the name its control can be found by. */
export interface Words {
  label: string
  help: string | undefined
  error: string | null
}

/** The words around a field's control. */
export function useWords({ form, shown }: InputProps): Words {
  const { translator, say } = useTexts()
  const { shape } = form
  const { field, definition, problem } = shown
  return {
    label: say(fieldKey(shape, field)),
    help: definition.help ? say(textKey.help(shape.name, field)) : undefined,
    error: problem && problemSentence(translator, problem),
  }
}

/** Binds a text control to the model: what is typed, and leaving it, from when on its problem is shown. */
export function textControl({ form, shown: { field }, edit }: InputProps) {
  return {
    value: form.text(field),
    onChange: (text: string) => edit(() => form.setText(field, text)),
    onBlur: () => leave({ form, edit }, field),
  }
}

/** The person left a field: its problem is shown from now on, or as soon as the press is over that took them away. */
export function leave({ form, edit }: Pick<InputProps, 'form' | 'edit'>, field: string): void {
  afterPress(() => edit(() => form.touch(field)))
}
