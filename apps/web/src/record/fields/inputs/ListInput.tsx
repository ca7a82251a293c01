import type { Field } from '@qd/core/define'
import { useId, useState } from 'react'
import { useTexts } from '../../../base/state/texts.ts'
import * as box from '../../../ui/inputs/Field.css.ts'
import { described, FieldNote } from '../../../ui/inputs/Field.tsx'
import { SearchInput } from '../../../ui/inputs/SearchInput.tsx'
import * as toggle from '../../../ui/inputs/Toggle.css.ts'
import { EntriesInput } from './EntriesInput.tsx'
import * as css from './Inputs.css.ts'
import { type InputProps, useWords } from './input.ts'

export function ListInput(props: InputProps) {
  const { options, words } = props.shown.definition as Extract<Field, { kind: 'list' }>
  return options ? <CheckList {...props} options={options} words={words} /> : <EntriesInput {...props} />
}

const manyChoices = 12

function CheckList({
  form,
  shown,
  edit,
  options,
  words,
}: InputProps & { options: readonly string[]; words?: ((option: string) => readonly string[]) | undefined }) {
  const id = useId()
  const { t, say, translator } = useTexts()
  const [wanted, setWanted] = useState('')
  const inWords = (option: string) =>
    words?.(option)
      .map((key) => say(key))
      .join(': ') ?? option
  const needle = wanted.trim().toLocaleLowerCase(translator.language)
  const isWanted = (option: string) =>
    `${inWords(option)} ${option}`.toLocaleLowerCase(translator.language).includes(needle)
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
      {options.length > manyChoices && <SearchInput label={t('ui.form.narrow')} value={wanted} onChange={setWanted} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll its content in every browser */}
      <div
        role="group"
        className={words ? css.wideList : css.list}
        aria-labelledby={`${id}-label`}
        data-invalid={error !== null || undefined}
        {...described(`${id}-note`, { help, error })}
      >
        {options.filter(isWanted).map((option) => (
          <label
            key={option}
            title={words && option}
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
            {words && <span className={css.inWords}>{inWords(option)}</span>}
            <span className={words ? css.code : undefined}>{option}</span>
          </label>
        ))}
      </div>
      {(help || error) && <FieldNote id={`${id}-note`} help={help} error={error} />}
    </div>
  )
}
