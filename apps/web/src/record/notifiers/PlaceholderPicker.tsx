import { useRef, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { capsOf } from '../../act/keys/keys.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import * as field from '../../ui/inputs/Field.css.ts'
import { useRoom } from '../../ui/inputs/use-room.ts'
import * as css from './NotifierAside.css.ts'
import { placeholderWords } from './placeholder-words.ts'
import { sampleOf, useSample } from './sample.ts'

export function PlaceholderPicker({
  units,
  isOpen,
  onOpen,
  onInsert,
}: {
  units: boolean
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onInsert: (placeholder: string) => void
}) {
  const { t } = useTexts()
  if (isOpen) return <Choices units={units} onInsert={onInsert} onClose={() => onOpen(false)} />
  return (
    <Button tone="ghost" size="small" icon="plus" caps={capsOf('insert')} onPress={() => onOpen(true)}>
      {t('ui.keys.insert')}
    </Button>
  )
}

function Choices({
  units,
  onInsert,
  onClose,
}: {
  units: boolean
  onInsert: (placeholder: string) => void
  onClose: () => void
}) {
  const texts = useTexts()
  const { t } = texts
  const { fill } = useSample(units)
  const [typed, setTyped] = useState('')
  const root = useRef<HTMLSpanElement>(null)
  const { onOpenChange, popover: room } = useRoom(root)
  const label = t('ui.notifier.findPlaceholder')
  const needle = typed.trim().toLocaleLowerCase()
  const found = placeholderWords(texts).filter(({ placeholder, meaning }) =>
    `${placeholder} ${meaning}`.toLocaleLowerCase().includes(needle),
  )
  return (
    <ComboBox
      aria-label={label}
      inputValue={typed}
      onInputChange={setTyped}
      value={null}
      onChange={(key) => key !== null && onInsert(String(key))}
      onBlur={onClose}
      defaultFilter={() => true}
      allowsEmptyCollection
      menuTrigger="focus"
      onOpenChange={onOpenChange}
    >
      <span ref={root} className={`${field.box({ size: 'small' })} ${css.box}`}>
        <Icon name="search" size={14} className={field.faint} />
        <Input className={field.input} placeholder={label} autoFocus autoComplete="off" spellCheck={false} />
      </span>
      <Popover {...room} className={field.popover}>
        <ListBox
          className={css.list}
          aria-label={label}
          renderEmptyState={() => <div className={`${field.option} ${field.faint}`}>{t('ui.list.noResults')}</div>}
        >
          {found.map(({ placeholder, meaning }) => (
            <ListBoxItem key={placeholder} id={placeholder} textValue={placeholder} className={field.option}>
              <span className={css.name}>{placeholder}</span>
              <span className={css.meaning}>{meaning}</span>
              <span className={css.sample}>{sampleOf(placeholder, fill)}</span>
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
