import { fieldKey, type Resource, textKey } from '@qd/core/define'
import { problemSentence } from '@qd/core/i18n'
import type { FormField, FormModel } from '@qd/core/view'
import { createContext } from 'react'
import { afterPress } from '../../../base/hooks/after-press.ts'
import { useTexts } from '../../../base/state/texts.ts'

/** `edit` changes the model and renders the form. */
export interface InputProps {
  form: FormModel
  shown: FormField
  edit: (change: () => void) => void
}

export interface Words {
  label: string
  help: string | undefined
  error: string | null
}

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

/** Binds a text control to the model; its errors show after blur. */
export function textControl({ form, shown: { field }, edit }: InputProps) {
  return {
    value: form.text(field),
    onChange: (text: string) => edit(() => form.setText(field, text)),
    onBlur: () => leave({ form, edit }, field),
  }
}

/** Shows a field’s errors from now on, after the current press. */
export function leave({ form, edit }: Pick<InputProps, 'form' | 'edit'>, field: string): void {
  afterPress(() => edit(() => form.touch(field)))
}

export interface InPlace {
  readonly resource: Resource
  readonly title: string
  onSaved(id: number | null): void
  onEnd(): void
}

/** Opens a form over the current one, which keeps its state; null if no form is open. */
export const MakeInPlace = createContext<((making: InPlace) => void) | null>(null)

export const machine = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

const maxRows = 10

export function rowsOf({ form, shown }: InputProps, atLeast: number): number {
  return Math.max(atLeast, Math.min(maxRows, form.text(shown.field).split('\n').length))
}
