import { type ReactNode, useId } from 'react'
import { Icon } from '../drawings/Icon.tsx'
import { error as errorStyle, field, help as helpStyle, label as labelStyle, notes } from './Field.css.ts'

/** What stands around a control: its name above, help and error below. */
export interface FieldProps {
  label: string
  help?: string | undefined
  /** What is wrong with the value, in words. */
  error?: string | null | undefined
}

/** Ids that bind a control to its label, help and error. */
export interface FieldIds {
  id: string
  describedBy: string | undefined
  invalid: boolean
}

/** Lays label, control, help and error out and links them; the control is given the ids. */
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

/** The lines below a control: the error where there is one, and the help, which may say how it is written. */
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

/** The attribute that links a control to the note below it, where there is one. */
export function described(
  id: string,
  { help, error }: { help?: string | undefined; error?: string | null | undefined },
) {
  return help || error ? { 'aria-describedby': id } : {}
}
