import { problemSentence } from '@qd/core/i18n'
import { useState } from 'react'
import { useTexts } from '../../texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Input, TextArea } from '../../ui/Input.tsx'
import { type InputProps, textControl, useWords } from './input.ts'

const machine = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** One line for people: a name. */
export function LineInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} autoComplete="off" required={props.shown.required} />
}

/** One line for machines: an address, a version, a list with commas. */
export function CodeInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} {...machine} face="mono" required={props.shown.required} />
}

/** A number with its unit as text, e.g. "5 min"; read by the kind's own rules. */
export function NumberInput(props: InputProps) {
  return <Input {...useWords(props)} {...textControl(props)} {...machine} inputMode="decimal" />
}

/** A schedule: what is wrong stands in place of the help while it is typed, and in red once the field was left. */
export function ScheduleInput(props: InputProps) {
  const { translator } = useTexts()
  const { form, shown } = props
  const words = useWords(props)
  const problem = form.problems().find(({ field }) => field === shown.field)
  const isTyped = form.text(shown.field).trim() !== ''
  const help = problem && isTyped ? problemSentence(translator, problem) : words.help
  return <Input {...words} help={help} {...textControl(props)} {...machine} face="mono" placeholder="0 0 3 * * *" />
}

/** Several lines for people. */
export function NoteInput(props: InputProps) {
  return <TextArea {...useWords(props)} {...textControl(props)} rows={rowsOf(props, 2)} />
}

/** Several lines for a shell. Tab leaves it, as everywhere. */
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

/** Most lines that an input grows to by itself; it can be drawn larger. */
const maxRows = 10

function rowsOf({ form, shown }: InputProps, atLeast: number): number {
  return Math.max(atLeast, Math.min(maxRows, form.text(shown.field).split('\n').length))
}

/** A secret: never filled in; empty keeps what is stored. */
export function SecretInput(props: InputProps) {
  const { t } = useTexts()
  const [isShown, setShown] = useState(false)
  const words = useWords(props)
  const keeps = props.form.mode === 'edit' && !props.shown.required
  const reveal = isShown ? t('ui.login.hide') : t('ui.login.show')
  return (
    <Input
      {...words}
      help={words.help ?? (keeps ? t('ui.form.keepSecret') : undefined)}
      {...textControl(props)}
      {...machine}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      end={
        <IconButton size="small" label={reveal} icon={isShown ? 'eye-off' : 'eye'} onPress={() => setShown(!isShown)} />
      }
    />
  )
}
