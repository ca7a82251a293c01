import type { FieldKind } from '@qd/core/define'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { ChoiceInput, FlagInput } from '../fields/inputs/ChoiceInputs.tsx'
import type { InputProps } from '../fields/inputs/input.ts'
import { ListInput } from '../fields/inputs/ListInput.tsx'
import { RefsInput } from '../fields/inputs/RefsInput.tsx'
import { SecretInput } from '../fields/inputs/SecretInput.tsx'
import {
  CodeInput,
  CommandInput,
  LineInput,
  NoteInput,
  NumberInput,
  ScheduleInput,
} from '../fields/inputs/TextInputs.tsx'
import { DurationInput, InstantInput } from '../fields/inputs/TimeInputs.tsx'

const LazyRules = lazyPart(async () => (await import('../rules/RulesInput.tsx')).RulesInput)

function RulesPart(props: InputProps) {
  return (
    <Suspense>
      <LazyRules {...props} />
    </Suspense>
  )
}

/** The input of each kind: every kind, checked by the compiler. Kinds that nobody types have none. */
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
  reach: () => null,
  rules: RulesPart,
  days: () => null,
  reading: () => null,
  part: () => null,
} satisfies Record<FieldKind, (props: InputProps) => ReactNode>

/** The input of one field of a form, with label, help and problem. */
export function FieldInput(props: InputProps) {
  const Drawn = inputs[props.shown.definition.kind]
  return (
    <div data-field={props.shown.field} style={{ minWidth: 0 }}>
      <Drawn {...props} />
    </div>
  )
}
