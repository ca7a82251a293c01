import { type Field, type FieldKind, textKey } from '@qd/core/define'
import { capital } from '@qd/core/i18n'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Select } from '../../ui/inputs/Select.tsx'
import { Segmented, Switch } from '../../ui/inputs/Toggle.tsx'
import { type InputProps, useWords } from '../fields/inputs/input.ts'
import { ListInput } from '../fields/inputs/ListInput.tsx'
import { RefsInput } from '../fields/inputs/RefsInput.tsx'
import { SecretInput } from '../fields/inputs/SecretInput.tsx'
import {
  CodeInput,
  CommandInput,
  DurationInput,
  InstantInput,
  LineInput,
  NoteInput,
  NumberInput,
  ScheduleInput,
} from '../fields/inputs/TextInputs.tsx'

/** Limits for options side by side; more are in a list. */
const besideAtMost = { options: 4, letters: 24 }

/** In Latin letters: a Chinese one is twice as wide. */
const widthOf = (label: string) => label.replace(/\p{Script=Han}/gu, 'xx').length

type Choice = Extract<Field, { kind: 'choice' }>

function ChoiceInput(props: InputProps) {
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

function FlagInput(props: InputProps) {
  const { form, shown, edit } = props
  return (
    <Switch
      {...useWords(props)}
      value={shown.value === true}
      onChange={(value) => edit(() => form.set(shown.field, value))}
    />
  )
}

const LazyRules = lazyPart(async () => (await import('../rules/RulesInput.tsx')).RulesInput)

function RulesPart(props: InputProps) {
  return (
    <Suspense>
      <LazyRules {...props} />
    </Suspense>
  )
}

const inputs = {
  text: LineInput,
  note: NoteInput,
  secret: SecretInput,
  command: CommandInput,
  schedule: ScheduleInput,
  address: CodeInput,
  version: CodeInput,
  number: NumberInput,
  duration: DurationInput,
  bytes: NumberInput,
  rate: NumberInput,
  percent: NumberInput,
  flag: FlagInput,
  choice: ChoiceInput,
  ref: RefsInput,
  refs: RefsInput,
  list: ListInput,
  'id-map': CommandInput,
  instant: InstantInput,
  trend: () => null,
  targets: () => null,
  rules: RulesPart,
  days: () => null,
  reading: () => null,
  part: () => null,
} satisfies Record<FieldKind, (props: InputProps) => ReactNode>

export function FieldInput(props: InputProps) {
  const Drawn = inputs[props.shown.definition.kind]
  return (
    <div data-field={props.shown.field} style={{ minWidth: 0 }}>
      <Drawn {...props} />
    </div>
  )
}
