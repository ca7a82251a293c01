import type { Field } from '@qd/core/define'
import { useRef } from 'react'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/inputs/Input.tsx'
import * as css from './Inputs.css.ts'
import { type InputProps, textControl, useWords } from './input.ts'
import { NumberInput } from './TextInputs.tsx'
import { machine } from './text-rules.ts'

export function DurationInput(props: InputProps) {
  const { format } = useTexts()
  const { form, shown, edit } = props
  const { presets = [] } = shown.definition as Extract<Field, { kind: 'duration' }>
  return (
    <>
      <NumberInput {...props} />
      {presets.length > 0 && (
        <div className={css.presets}>
          {presets.map((seconds) => (
            <Button
              key={seconds}
              size="small"
              aria-pressed={shown.value === seconds}
              onPress={() => edit(() => form.set(shown.field, seconds))}
            >
              {format.duration(seconds)}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

export function InstantInput(props: InputProps) {
  const { t, format } = useTexts()
  const { form, shown, edit } = props
  const picker = useRef<HTMLInputElement>(null)
  const { help, ...words } = useWords(props)
  const at = typeof shown.value === 'string' ? Date.parse(shown.value) : Number.NaN
  const isRead = !Number.isNaN(at) && form.text(shown.field).trim() !== ''
  return (
    <Input
      {...words}
      help={isRead ? `${format.instantLong(at)} ${format.offset(at)}` : help}
      {...textControl(props)}
      {...machine}
      end={
        <span className={css.end}>
          <input
            ref={picker}
            type="datetime-local"
            className={css.picker}
            tabIndex={-1}
            aria-hidden="true"
            value={Number.isNaN(at) ? '' : localText(at)}
            onChange={({ target }) => {
              const chosen = new Date(target.value)
              if (!Number.isNaN(chosen.getTime())) edit(() => form.set(shown.field, chosen.toISOString()))
            }}
          />
          <IconButton
            size="small"
            icon="clock"
            label={t('ui.form.pickTime')}
            onPress={() => picker.current?.showPicker?.()}
          />
        </span>
      }
    />
  )
}

/** Local time to the minute, as the browser’s picker takes it. */
function localText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
