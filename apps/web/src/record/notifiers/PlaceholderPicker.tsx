import { placeholders } from '@qd/core/schemas'
import { useRef, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { capsOf } from '../../act/keys/keys.ts'
import { type Texts, useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import * as field from '../../ui/inputs/Field.css.ts'
import { useRoom } from '../../ui/inputs/use-room.ts'
import * as css from './NotifierAside.css.ts'
import { sampleOf, useSample } from './sample.ts'

type Form = 'used' | 'total'

const meanings: Readonly<Record<string, readonly [key: string, form?: Form]>> = {
  NEZHA: ['ui.notifier.message'],
  DATETIME: ['ui.notifier.time'],
  'SERVER.NAME': ['resources.server.fields.name'],
  'SERVER.ID': ['ui.fields.id'],
  'SERVER.CPU': ['resources.server.fields.cpu'],
  'SERVER.MEM': ['resources.server.fields.memory'],
  'SERVER.SWAP': ['resources.server.fields.swap'],
  'SERVER.DISK': ['resources.server.fields.disk'],
  'SERVER.SPEEDIN': ['ui.metrics.net_in_speed'],
  'SERVER.SPEEDOUT': ['ui.metrics.net_out_speed'],
  'SERVER.TRANSFERIN': ['ui.metrics.transfer_in'],
  'SERVER.TRANSFEROUT': ['ui.metrics.transfer_out'],
  'SERVER.CPUUSED': ['resources.server.fields.cpu'],
  'SERVER.MEMUSED': ['resources.server.fields.memory', 'used'],
  'SERVER.SWAPUSED': ['resources.server.fields.swap', 'used'],
  'SERVER.DISKUSED': ['resources.server.fields.disk', 'used'],
  'SERVER.MEMTOTAL': ['resources.server.fields.memory', 'total'],
  'SERVER.SWAPTOTAL': ['resources.server.fields.swap', 'total'],
  'SERVER.DISKTOTAL': ['resources.server.fields.disk', 'total'],
  'SERVER.NETINSPEED': ['ui.metrics.net_in_speed'],
  'SERVER.NETOUTSPEED': ['ui.metrics.net_out_speed'],
  'SERVER.NETINTRANSFER': ['ui.metrics.transfer_in'],
  'SERVER.NETOUTTRANSFER': ['ui.metrics.transfer_out'],
  'SERVER.LOAD1': ['ui.metrics.load1'],
  'SERVER.LOAD5': ['ui.metrics.load5'],
  'SERVER.LOAD15': ['ui.metrics.load15'],
  'SERVER.TCPCONNCOUNT': ['ui.metrics.tcp_conn_count'],
  'SERVER.UDPCONNCOUNT': ['ui.metrics.udp_conn_count'],
  'SERVER.IP': ['resources.server.fields.address'],
  'SERVER.IPV4': ['ui.notifier.ipv4'],
  'SERVER.IPV6': ['ui.notifier.ipv6'],
}

export function placeholderWords({
  say,
  t,
}: Pick<Texts, 'say' | 't'>): readonly { placeholder: string; meaning: string }[] {
  return placeholders.map((placeholder) => {
    const [key, form] = meanings[placeholder.slice(1, -1)] ?? ['ui.notifier.message']
    const what = say(key)
    return { placeholder, meaning: form ? t(`ui.notifier.${form}`, { what }) : what }
  })
}

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
