import type { Field } from '@qd/core/define'
import { problemSentence } from '@qd/core/i18n'
import { withSeconds } from '@qd/core/schemas'
import { useRef } from 'react'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Input, TextArea } from '../../../ui/inputs/Input.tsx'
import * as css from './Inputs.css.ts'
import { type InputProps, machine, rowsOf, textControl, useWords } from './input.ts'

export function LineInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} autoComplete="off" required={props.shown.required} />
}

export function CodeInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} {...machine} face="mono" required={props.shown.required} />
}

export function NumberInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} {...machine} inputMode="decimal" />
}

/** A schedule. An error replaces the help while typing and is red once the field is left. Offers to add seconds. */
export function ScheduleInput(props: InputProps) {
  const { t, translator } = useTexts()
  const { form, shown, edit } = props
  const root = useRef<HTMLDivElement>(null)
  const words = useWords(props)
  const problem = form.problems().find(({ field }) => field === shown.field)
  const isTyped = form.text(shown.field).trim() !== ''
  const help = problem && isTyped && words.error === null ? problemSentence(translator, problem) : words.help
  const meant = words.error ? withSeconds(form.text(shown.field)) : null
  const take = (text: string) => {
    edit(() => form.setText(shown.field, text))
    root.current?.querySelector('input')?.focus()
  }
  return (
    <div ref={root} className={css.withButton}>
      <Input {...words} help={help} {...textControl(props)} {...machine} face="mono" placeholder="0 0 3 * * *" />
      {meant && (
        <Button size="small" onPress={() => take(meant)}>
          {t('ui.form.takeSchedule', { schedule: meant })}
        </Button>
      )}
    </div>
  )
}

export function NoteInput(props: InputProps) {
  return <TextArea {...useWords(props)} {...textControl(props)} rows={rowsOf(props, 2)} />
}

export function CommandInput(props: InputProps) {
  return (
    <TextArea
      {...useWords(props)}
      {...textControl(props)}
      {...machine}
      face="mono"
      rows={rowsOf(props, 3)}
      required={props.shown.required}
    />
  )
}

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
