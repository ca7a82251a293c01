import { overlays$, questions } from '../../base/state/overlays.ts'
import { loading$ } from '../perform/lazy-perform.ts'

const textual = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea'
const dialogs = '[role="dialog"], [role="alertdialog"]'

let held: string | null = null

/** Holds typed text until the opening layer has the focus, so that no key is lost or taken for a shortcut. */
export function keepTyping(): void {
  const follow = (isOpening: boolean) => {
    held = isOpening ? (held ?? '') : null
  }
  loading$.onChange(({ value }) => {
    if (value || !isOpening()) follow(value)
  })
  overlays$.palette.onChange(({ value }) => follow(value !== null))
  overlays$.form.onChange(({ value }) => follow(value !== null))
  overlays$.keys.onChange(({ value }) => follow(value))
  questions.subscribe(() => follow(questions.current() !== null))
  addEventListener('focusin', ({ target }) => {
    if (held === null || !(target instanceof Element) || !target.matches(textual) || !target.closest(dialogs)) return
    const text = held
    held = null
    // insertText fires input events and the browser can undo it.
    if (text !== '') document.execCommand('insertText', false, text)
  })
}

function isOpening(): boolean {
  const { palette, form, keys } = overlays$.peek()
  return palette !== null || form !== null || keys || questions.current() !== null
}

/** Whether a key was held because it would have gone to the page behind the opening layer. */
export function holdsKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (held === null || ctrlKey || metaKey || altKey) return false
  const dialog = [...document.querySelectorAll(dialogs)].at(-1)
  if (dialog?.contains(document.activeElement) && !dialog.querySelector('[data-loading]')) {
    held = null
    return false
  }
  if (key === 'Escape') {
    held = null
    if (dialog) return false
    overlays$.assign({ palette: null, form: null, keys: false })
    questions.current()?.answer(null)
    return true
  }
  if (key === 'Backspace') held = held.slice(0, -1)
  else if (key.length === 1) held += key
  return key.length === 1 || ['Backspace', 'Enter', 'Tab', 'Delete'].includes(key) || key.startsWith('Arrow')
}
