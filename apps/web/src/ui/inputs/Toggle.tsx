import { useId } from 'react'
import { Switch as AriaSwitch, Radio, RadioGroup } from 'react-aria-components'
import { field, label as labelStyle } from './Field.css.ts'
import { described, FieldNote } from './Field.tsx'
import { knob, row, segment, segments, words } from './Toggle.css.ts'

export interface SwitchProps {
  label: string
  help?: string | undefined
  error?: string | null | undefined
  value: boolean
  onChange: (value: boolean) => void
}

export function Switch({ label, help, error, value, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className={words}>
      <AriaSwitch className={row} isSelected={value} onChange={onChange} {...described(id, { help, error })}>
        <span className={knob} />
        {label}
      </AriaSwitch>
      {(help || error) && <FieldNote id={id} help={help} error={error} />}
    </div>
  )
}

export interface SegmentedProps {
  label: string
  help?: string | undefined
  error?: string | null | undefined
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

/** At most five options; for more use `Select`. */
export function Segmented({ label, help, error, options, value, onChange }: SegmentedProps) {
  const id = useId()
  return (
    <div className={field}>
      <span className={labelStyle} id={`${id}-label`}>
        {label}
      </span>
      <RadioGroup
        aria-labelledby={`${id}-label`}
        {...described(id, { help, error })}
        orientation="horizontal"
        value={value}
        onChange={onChange}
        className={segments}
      >
        {options.map((option) => (
          <Radio key={option.value} value={option.value} className={segment}>
            {option.label}
          </Radio>
        ))}
      </RadioGroup>
      {(help || error) && <FieldNote id={id} help={help} error={error} />}
    </div>
  )
}
