import { useId, useRef } from 'react'
import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components'
import { Icon } from '../drawings/Icon.tsx'
import { box, field, label as labelStyle, option, popover, selectButton } from './Field.css.ts'
import { described, FieldNote, type FieldProps } from './Field.tsx'
import { useRoom } from './use-room.ts'

export interface SelectProps extends FieldProps {
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

export function Select({ label, help, error, options, value, onChange }: SelectProps) {
  const id = useId()
  const root = useRef<HTMLSpanElement>(null)
  const { onOpenChange, popover: room } = useRoom(root)
  return (
    <AriaSelect
      className={field}
      aria-labelledby={`${id}-label`}
      {...described(id, { help, error })}
      value={value}
      onChange={(key) => onChange(String(key))}
      isInvalid={Boolean(error)}
      onOpenChange={onOpenChange}
    >
      <span className={labelStyle} id={`${id}-label`}>
        {label}
      </span>
      <span ref={root} className={box()} data-invalid={Boolean(error) || undefined}>
        <Button className={selectButton}>
          <SelectValue />
          <Icon name="chevron-down" size={14} />
        </Button>
      </span>
      {(help || error) && <FieldNote id={id} help={help} error={error} />}
      <Popover {...room} className={popover}>
        <section aria-label={label}>
          <ListBox items={options} aria-label={label}>
            {(item) => (
              <ListBoxItem id={item.value} textValue={item.label} className={option}>
                {item.label}
              </ListBoxItem>
            )}
          </ListBox>
        </section>
      </Popover>
    </AriaSelect>
  )
}
