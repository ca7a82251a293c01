import { Fragment, useRef } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { Icon } from '../drawings/Icon.tsx'
import { Keycap } from '../Keycap.tsx'
import { icon, item, list, menu, place, reason, rule, text } from './Menu.css.ts'
import type { MenuEntry, MenuPlace, MenuProps } from './menu-props.ts'

/** A menu with the button that opens it. */
export function MenuList({ label, entries, header, children, open }: MenuProps & Required<Pick<MenuProps, 'open'>>) {
  return (
    <MenuTrigger isOpen={open.isOpen} onOpenChange={open.set}>
      {children}
      <Popover className={menu} placement="bottom end" offset={4}>
        <Entries label={label} entries={entries} header={header} />
      </Popover>
    </MenuTrigger>
  )
}

/** A menu at a place of its own, such as that of the pointer. */
export function MenuAt({
  label,
  entries,
  header,
  at,
  onClose,
}: Pick<MenuProps, 'label' | 'entries' | 'header'> & { at: MenuPlace; onClose: () => void }) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className={place} style={{ left: at.x, top: at.y }} />
      <Popover
        className={menu}
        aria-label={label}
        triggerRef={anchor}
        placement={at.isEnd ? 'bottom end' : 'bottom start'}
        offset={4}
        isOpen
        onOpenChange={(isOpen) => isOpen || onClose()}
      >
        <Entries label={label} entries={entries} header={header} onClose={onClose} />
      </Popover>
    </>
  )
}

function Entries({
  label,
  entries,
  header,
  onClose,
}: Pick<MenuProps, 'label' | 'entries' | 'header'> & { onClose?: () => void }) {
  return (
    <AriaMenu
      className={list}
      aria-label={label}
      autoFocus="first"
      onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
      disabledKeys={entries.filter((entry) => entry.reason).map((entry) => entry.id)}
      {...(onClose ? { onClose } : {})}
    >
      <MenuSection aria-label={label}>
        {header && <Header>{header}</Header>}
        {entries.map((entry) => (
          <Fragment key={entry.id}>
            {entry.ruled && <Separator className={rule} />}
            <Entry entry={entry} />
          </Fragment>
        ))}
      </MenuSection>
    </AriaMenu>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.label}
      className={item}
      data-tone={entry.tone}
      shouldCloseOnSelect={!entry.stays}
    >
      {entry.icon && (
        <span className={icon}>
          <Icon name={entry.icon} />
        </span>
      )}
      <span className={text}>
        {entry.label}
        {entry.reason && <span className={reason}>{entry.reason}</span>}
      </span>
      {entry.chosen && <Icon name={entry.chosen === true ? 'check' : entry.chosen} size={14} />}
      {entry.caps && <Keycap caps={entry.caps} />}
    </MenuItem>
  )
}
