import { type ReactNode, useId, useMemo, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { box, faint, field, input, label as labelStyle, option, popover } from './Field.css.ts'
import { described, FieldNote, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { Tags } from './Tags.tsx'

/** A record that can be picked. `extra` stands quieter beside the name. */
export interface Pickable {
  id: number
  text: string
  extra?: string | undefined
}

/** Records picked by name. `many` keeps several as chips, else picking replaces. */
export interface RefPickerProps extends FieldProps {
  items: readonly Pickable[]
  value: readonly number[]
  onChange: (ids: number[]) => void
  many: boolean
  placeholder?: string
  /** What a chip's remove button says, e.g. "Remove web-3". */
  removeLabel: (text: string) => string
  emptyText: string
  after?: ReactNode
}

/** How many matches the list shows at once; typing narrows it. */
const shown = 50

/** Typing finds records by name; what is chosen stands below as chips. */
export function RefPicker({
  label,
  help,
  error,
  items,
  value,
  onChange,
  many,
  placeholder,
  removeLabel,
  emptyText,
  after,
}: RefPickerProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const chosen = useMemo(
    () => value.map((ref) => items.find((item) => item.id === ref) ?? { id: ref, text: `#${ref}` }),
    [items, value],
  )
  const matches = useMemo(() => {
    const needle = typed.trim().toLocaleLowerCase()
    return items
      .filter(
        (item) => !value.includes(item.id) && `${item.text} ${item.extra ?? ''}`.toLocaleLowerCase().includes(needle),
      )
      .slice(0, shown)
  }, [items, value, typed])
  return (
    <ComboBox
      className={field}
      aria-labelledby={`${id}-label`}
      {...described(id, { help, error })}
      items={matches}
      inputValue={typed}
      onInputChange={setTyped}
      value={null}
      onChange={(key) => {
        if (key === null) return
        onChange(many ? [...value, Number(key)] : [Number(key)])
        setTyped('')
      }}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={Boolean(error)}
    >
      <span className={labelStyle} id={`${id}-label`}>
        {label}
      </span>
      <span className={box()} data-invalid={Boolean(error) || undefined}>
        <Icon name="search" size={14} className={faint} />
        <Input className={input} {...(placeholder === undefined ? {} : { placeholder })} />
      </span>
      <Tags
        items={chosen}
        removeLabel={removeLabel}
        onRemove={(gone) => onChange(value.filter((ref) => ref !== gone))}
      />
      {(help || error) && <FieldNote id={id} help={help} error={error} />}
      {after}
      <Popover className={popover} offset={4}>
        <ListBox<Pickable>
          aria-label={label}
          renderEmptyState={() => <div className={`${option} ${faint}`}>{emptyText}</div>}
        >
          {(item) => (
            <ListBoxItem id={item.id} textValue={item.text} className={option}>
              {item.text}
              {item.extra && <span className={faint}>{item.extra}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
