import type { ComponentProps, ReactNode } from 'react'
import { area, box, input } from './Field.css.ts'
import { Field, type FieldProps } from './Field.tsx'

type Native = Omit<ComponentProps<'input'>, 'onChange' | 'size' | 'className'>
/** `face` mono for addresses, commands and schedules; `end` stands inside at the right. */
export interface InputProps extends FieldProps, Native {
  onChange: (value: string) => void
  face?: 'sans' | 'mono'
  size?: 'normal' | 'login'
  end?: ReactNode
}

export function Input({ label, help, error, onChange, face = 'sans', size = 'normal', end, ...rest }: InputProps) {
  return (
    <Field label={label} help={help} error={error}>
      {({ id, describedBy, invalid }) => (
        <span
          className={box({ face, size })}
          data-invalid={invalid || undefined}
          data-disabled={rest.disabled || undefined}
        >
          <input
            {...rest}
            id={id}
            className={input}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={(event) => onChange(event.target.value)}
          />
          {end}
        </span>
      )}
    </Field>
  )
}

type NativeArea = Omit<ComponentProps<'textarea'>, 'onChange' | 'className'>

export function TextArea({
  label,
  help,
  error,
  onChange,
  face = 'sans',
  rows = 3,
  ...rest
}: FieldProps & NativeArea & { onChange: (value: string) => void; face?: 'sans' | 'mono' }) {
  return (
    <Field label={label} help={help} error={error}>
      {({ id, describedBy, invalid }) => (
        <span className={box({ face, size: 'area' })} data-invalid={invalid || undefined}>
          <textarea
            {...rest}
            rows={rows}
            id={id}
            className={area}
            aria-describedby={describedBy}
            aria-invalid={invalid || undefined}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  )
}
