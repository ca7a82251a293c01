import { useRef } from 'react'
import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components'
import { Icon } from '../drawings/Icon.tsx'
import { option, popover, selectButton } from './Field.css.ts'
import { useRoom } from './use-room.ts'

export function InlineSelect({
  label,
  className,
  options,
  value,
  onChange,
}: {
  label: string
  className: string
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}) {
  const root = useRef<HTMLSpanElement>(null)
  const { onOpenChange, popover: room } = useRoom(root)
  return (
    <AriaSelect aria-label={label} value={value} onChange={(key) => onChange(String(key))} onOpenChange={onOpenChange}>
      <span ref={root} className={className}>
        <Button className={selectButton}>
          <SelectValue />
          <Icon name="chevron-down" size={12} />
        </Button>
      </span>
      <Popover {...room} className={popover}>
        <ListBox items={options} aria-label={label}>
          {(item) => (
            <ListBoxItem id={item.value} textValue={item.label} className={option}>
              {item.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
