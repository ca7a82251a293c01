import { box, native, row, tick } from './Toggle.css.ts'

export interface CheckboxProps {
  label: string
  value: boolean
  isMixed?: boolean
  onChange: (value: boolean, withShift: boolean) => void
}

const mix = (input: HTMLInputElement | null) => {
  if (input) input.indeterminate = true
}
const unmix = (input: HTMLInputElement | null) => {
  if (input) input.indeterminate = false
}

export function Checkbox({ label, value, isMixed = false, onChange }: CheckboxProps) {
  return (
    <label
      className={`${row} ${box}`}
      data-selected={value || undefined}
      data-indeterminate={isMixed || undefined}
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <input
        type="checkbox"
        className={native}
        aria-label={label}
        title={label}
        checked={value}
        ref={isMixed ? mix : unmix}
        onChange={(event) => onChange(event.target.checked, (event.nativeEvent as MouseEvent).shiftKey ?? false)}
      />
      <span className={tick} />
    </label>
  )
}
