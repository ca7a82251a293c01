import { parseInput } from '@qd/core/fields'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { afterPress } from '../../../base/hooks/after-press.ts'
import { view } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import * as box from '../../../ui/inputs/Field.css.ts'
import { described, FieldNote } from '../../../ui/inputs/Field.tsx'
import { RemovableTag } from '../../../ui/Tags.tsx'
import { type InputProps, leave, useWords } from './input.ts'
import { field, text } from './RefsInput.css.ts'

const jsonSigns = /["[\]{}]/

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
  /** `rest` stays in the box; invalid JSON is an error whatever the chips are. */
  const put = (entries: readonly string[], rest: string) =>
    edit(() => {
      form.set(shown.field, [...new Set(entries)])
      if (jsonSigns.test(rest)) form.setText(shown.field, rest)
    })
  /** JSON isn’t split until complete; invalid JSON stays as typed, with an error. */
  const typeJson = (value: string) => {
    const parsed = parseInput(shown.definition, value, { fieldName: shown.field, view })
    setTyped(parsed.ok ? '' : value)
    if (parsed.ok) put([...chips, ...(parsed.value as string[])], '')
    else put(chips, value)
  }
  const type = (value: string) => {
    if (jsonSigns.test(value)) return typeJson(value)
    const parts = value.split(/[\s,;，；、､﹐﹔]+/)
    const rest = parts.pop() ?? ''
    setTyped(rest)
    put(
      [...chips, ...parts, rest].filter((entry) => entry !== ''),
      rest,
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    if (event.key === 'Backspace' && typed === '') put(all.slice(0, -1), '')
    if (event.key !== 'Enter' || typed === '') return
    event.preventDefault()
    event.stopPropagation()
    if (!jsonSigns.test(typed)) setTyped('')
    else edit(() => form.touch(shown.field))
  }
  return (
    <div className={box.field}>
      <label className={box.label} htmlFor={id}>
        {label}
      </label>
      <div className={field} data-invalid={error !== null || undefined}>
        {chips.map((entry) => (
          <RemovableTag
            key={entry}
            text={entry}
            label={t('ui.picker.remove', { name: entry })}
            isInInput
            onRemove={() => {
              put(
                all.filter((one) => one !== entry),
                typed,
              )
              input.current?.focus()
            }}
          />
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
            afterPress(() => !jsonSigns.test(typed) && setTyped(''))
            leave(props, shown.field)
          }}
        />
      </div>
      {(help || error) && <FieldNote id={`${id}-note`} help={help} error={error} />}
    </div>
  )
}
