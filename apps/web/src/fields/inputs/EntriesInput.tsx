import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTexts } from '../../texts.ts'
import * as box from '../../ui/Field.css.ts'
import { described, FieldNote } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { chip, remove } from '../../ui/Tags.css.ts'
import { type InputProps, useWords } from './input.ts'
import { field, text } from './RefsInput.css.ts'

/** Several texts of any kind: Enter or a comma makes a chip of what was typed, Backspace takes the last one. What is being typed counts already. */
export function EntriesInput(props: InputProps) {
  const { form, shown, edit } = props
  const { t } = useTexts()
  const id = useId()
  const { label, help, error } = useWords(props)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const all = shown.value as readonly string[]
  const isTyping = typed.trim() !== '' && all.at(-1) === typed.trim()
  const chips = isTyping ? all.slice(0, -1) : all
  const put = (entries: readonly string[]) => edit(() => form.set(shown.field, [...new Set(entries)]))
  const type = (value: string) => {
    const parts = value.split(/[\s,;]+/)
    const rest = parts.pop() ?? ''
    setTyped(rest)
    put([...chips, ...parts, rest].filter((entry) => entry !== ''))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Backspace' && typed === '') put(all.slice(0, -1))
    if (event.key !== 'Enter' || typed === '') return
    event.preventDefault()
    event.stopPropagation()
    setTyped('')
  }
  return (
    <div className={box.field}>
      <label className={box.label} htmlFor={id}>
        {label}
      </label>
      <div className={field} data-invalid={error !== null || undefined}>
        {chips.map((entry) => (
          <span key={entry} className={chip.plain}>
            {entry}
            <button
              type="button"
              className={remove}
              tabIndex={-1}
              aria-label={t('ui.picker.remove', { name: entry })}
              title={t('ui.picker.remove', { name: entry })}
              onClick={() => {
                put(all.filter((one) => one !== entry))
                input.current?.focus()
              }}
            >
              <Icon name="x" size={12} />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          className={text}
          value={typed}
          placeholder={chips.length === 0 ? t('ui.list.addEntry') : ''}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error !== null || undefined}
          {...described(`${id}-note`, { help, error })}
          onChange={({ target }) => type(target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setTyped('')
            edit(() => form.touch(shown.field))
          }}
        />
      </div>
      {(help || error) && <FieldNote id={`${id}-note`} help={help} error={error} />}
    </div>
  )
}
