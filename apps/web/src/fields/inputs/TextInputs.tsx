import { problemSentence } from '@qd/core/i18n'
import { useTexts } from '../../state/texts.ts'
import { Input, TextArea } from '../../ui/inputs/Input.tsx'
import { type InputProps, textControl, useWords } from './input.ts'
import { machine, rowsOf } from './text-rules.ts'

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
