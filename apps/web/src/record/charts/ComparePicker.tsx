import { useValue } from '@legendapp/state/react'
import { firstItem } from '@qd/core/errors'
import { server } from '@qd/core/resources'
import { useRef, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { listOf, useListValue } from '../../base/state/list-state.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import * as field from '../../ui/inputs/Field.css.ts'
import { useRoom } from '../../ui/inputs/use-room.ts'
import { RemovableTag } from '../../ui/Tags.tsx'
import { optionsFor } from '../fields/inputs/refs-search.ts'
import * as css from './Charts.css.ts'

export function ComparePicker({
  chosen,
  subject,
  most,
  leftOut,
  onChange,
}: {
  chosen: readonly number[]
  subject: number
  most: number
  leftOut: number
  onChange: (ids: readonly number[]) => void
}) {
  const { t } = useTexts()
  const [typed, setTyped] = useState('')
  const root = useRef<HTMLSpanElement>(null)
  const { onOpenChange, popover: room } = useRoom(root)
  useValue(() => records.version$('server').get())
  const marks = useListValue(listOf(server), (list) => list.marks)
  const marked = [...marks].filter((id) => id !== subject)
  const taken = new Set([subject, ...chosen])
  const options = optionsFor(server, { typed, chosen: taken, many: false, view }).filter(
    ({ kind, ids }) => kind === 'record' && !taken.has(firstItem(ids)),
  )
  const nameOf = (id: number) => view.title('server', id) ?? `#${id}`
  const label = t('ui.history.compare')
  return (
    <div className={css.picker}>
      {chosen.map((id) => (
        <RemovableTag
          key={id}
          text={nameOf(id)}
          label={t('ui.picker.remove', { name: nameOf(id) })}
          onRemove={() => onChange(chosen.filter((one) => one !== id))}
        />
      ))}
      {chosen.length < most && view.all('server').length > taken.size && (
        <ComboBox
          aria-label={label}
          items={options}
          inputValue={typed}
          onInputChange={setTyped}
          value={null}
          onChange={(key) => {
            const option = options.find((one) => one.key === key)
            if (!option) return
            onChange([...chosen, ...option.ids])
            setTyped('')
          }}
          defaultFilter={() => true}
          allowsEmptyCollection
          menuTrigger="focus"
          onOpenChange={onOpenChange}
        >
          <span ref={root} className={`${field.box({ size: 'small' })} ${css.box}`}>
            <Icon name="plus" size={14} className={field.faint} />
            <Input className={field.input} placeholder={label} autoComplete="off" spellCheck={false} />
          </span>
          <Popover {...room} className={field.popover}>
            <ListBox
              aria-label={label}
              renderEmptyState={() => (
                <div className={`${field.option} ${field.faint}`}>{t('ui.picker.none', { text: typed.trim() })}</div>
              )}
            >
              {options.map((option) => (
                <ListBoxItem key={option.key} id={option.key} textValue={option.text} className={field.option}>
                  {option.text}
                </ListBoxItem>
              ))}
            </ListBox>
          </Popover>
        </ComboBox>
      )}
      {marked.slice(0, most).some((id) => !chosen.includes(id)) && (
        <Button size="small" onPress={() => onChange(marked)}>
          {t('ui.history.compareMarked', { count: Math.min(most, marked.length) })}
        </Button>
      )}
      {leftOut > 0 && (
        <span role="status" className={css.leftOut}>
          {t('ui.history.compareLeft', { most: most + 1, count: leftOut })}
        </span>
      )}
    </div>
  )
}
