import type { Field } from '@qd/core/define'
import { textKey } from '@qd/core/define'
import { capital } from '../../../base/state/nouns.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Select } from '../../../ui/inputs/Select.tsx'
import { Segmented, Switch } from '../../../ui/inputs/Toggle.tsx'
import { type InputProps, useWords } from './input.ts'

/** Options side by side need room: so many at most, and so many letters in all. */
const besideAtMost = { options: 4, letters: 24 }

/** In letters as wide as Latin ones: a Chinese one is as wide as two. */
const widthOf = (label: string) => label.replace(/\p{Script=Han}/gu, 'xx').length

type Choice = Extract<Field, { kind: 'choice' }>

/** One of several named values: side by side where there is room, else a list behind a button. An unknown value stays until another is chosen. */
export function ChoiceInput(props: InputProps) {
  const { form, shown, edit } = props
  const { say, t, translator } = useTexts()
  const words = useWords(props)
  const { options } = shown.definition as Choice
  const named = Object.entries(options).map(([name, value]) => ({
    value: name,
    wire: value,
    label: capital(say(textKey.option(form.shape.name, shown.field, name)), translator.language),
  }))
  const current = named.find(({ wire }) => wire === shown.value)
  const known = current
    ? named
    : [...named, { value: '', wire: shown.value, label: t('ui.value.unknown', { value: String(shown.value) }) }]
  const choice = {
    ...words,
    options: known,
    value: current?.value ?? '',
    onChange: (name: string) => edit(() => form.set(shown.field, known.find(({ value }) => value === name)?.wire)),
  }
  const letters = known.reduce((sum, { label }) => sum + widthOf(label), 0)
  const isBeside = known.length <= besideAtMost.options && letters <= besideAtMost.letters
  return isBeside ? <Segmented {...choice} /> : <Select {...choice} />
}

/** On or off. */
export function FlagInput(props: InputProps) {
  const { form, shown, edit } = props
  return (
    <Switch
      {...useWords(props)}
      value={shown.value === true}
      onChange={(value) => edit(() => form.set(shown.field, value))}
    />
  )
}
