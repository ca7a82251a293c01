import { type ReactNode, useId } from 'react'
import { Icon } from '../drawings/Icon.tsx'
import { error as errorStyle, field, help as helpStyle, label as labelStyle, notes } from './Field.css.ts'

export interface FieldProps {
  label: string
  help?: string | undefined
  error?: string | null | undefined
}

export interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

export function Field({ label, help, error, children }: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId()
  const note = error || help ? `${id}-note` : undefined
  return (
    <div className={field}>
      <label className={labelStyle} htmlFor={id} id={`${id}-label`}>
        {label}
      </label>
      {children({ id, describedBy: note, invalid: Boolean(error) })}
      {note && <FieldNote id={note} error={error} help={help} />}
    </div>
  )
}

export function FieldNote({
  id,
  error,
  help,
}: {
  id?: string
  error?: string | null | undefined
  help?: string | undefined
}) {
  return (
    <span id={id} className={notes}>
      {error && (
        <span className={errorStyle} role="alert">
          <Icon name="circle-alert" size={12} />
          {error}
        </span>
      )}
      {help && <span className={helpStyle}>{help}</span>}
    </span>
  )
}

export function described(
  id: string,
  { help, error }: { help?: string | undefined; error?: string | null | undefined },
) {
  return help || error ? { 'aria-describedby': id } : {}
}
