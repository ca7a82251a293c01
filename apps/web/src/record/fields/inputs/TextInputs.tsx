import { problemSentence } from '@qd/core/i18n'
import { withSeconds } from '@qd/core/schemas'
import { useRef } from 'react'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input, TextArea } from '../../../ui/inputs/Input.tsx'
import * as css from './Inputs.css.ts'
import { type InputProps, textControl, useWords } from './input.ts'
import { machine, rowsOf } from './text-rules.ts'

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
