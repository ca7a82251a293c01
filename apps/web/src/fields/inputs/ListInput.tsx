import type { Field } from '@qd/core/define'
import { useId } from 'react'
import * as box from '../../ui/Field.css.ts'
import { described, FieldNote } from '../../ui/Field.tsx'
import * as toggle from '../../ui/Toggle.css.ts'
import { EntriesInput } from './EntriesInput.tsx'
import { type InputProps, useWords } from './input.ts'
import * as css from './ListInput.css.ts'

/** Several texts: to check where only some are allowed, else to type. */
export function ListInput(props: InputProps) {
  const { options } = props.shown.definition as Extract<Field, { kind: 'list' }>
  return options ? <CheckList {...props} options={options} /> : <EntriesInput {...props} />
}

function CheckList({ form, shown, edit, options }: InputProps & { options: readonly string[] }) {
  const id = useId()
  const { label, help, error } = useWords({ form, shown, edit })
  const chosen = shown.value as readonly string[]
  const put = (option: string, isChosen: boolean) =>
    edit(() => {
      form.set(
        shown.field,
        options.filter((one) => (one === option ? isChosen : chosen.includes(one))),
      )
      form.touch(shown.field)
    })
  return (
    <div className={box.field}>
      <span className={box.label} id={`${id}-label`}>
        {label}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll its content in every browser */}
      <div
        role="group"
        className={css.list}
        aria-labelledby={`${id}-label`}
        data-invalid={error !== null || undefined}
        {...described(`${id}-note`, { help, error })}
      >
        {options.map((option) => (
          <label
            key={option}
            className={`${toggle.row} ${toggle.box} ${css.choice}`}
            data-selected={chosen.includes(option) || undefined}
          >
            <input
              type="checkbox"
              className={toggle.native}
              checked={chosen.includes(option)}
              onChange={(event) => put(option, event.target.checked)}
            />
            <span className={toggle.tick} />
            {option}
          </label>
        ))}
      </div>
      {(help || error) && <FieldNote id={`${id}-note`} help={help} error={error} />}
    </div>
  )
}
