import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components'
import { option, popover, selectButton } from './Field.css.ts'
import { Icon } from './Icon.tsx'

/** A choice inside a sentence: as wide as its value, named for readers only. */
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
  return (
    <AriaSelect aria-label={label} value={value} onChange={(key) => onChange(String(key))}>
      <span className={className}>
        <Button className={selectButton}>
          <SelectValue />
          <Icon name="chevron-down" size={12} />
        </Button>
      </span>
      <Popover className={popover} offset={4}>
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
