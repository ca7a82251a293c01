import { Fragment, type RefObject, useRef } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { Icon } from '../drawings/Icon.tsx'
import { Keycap } from '../Keycap.tsx'
import { icon, item, list, menu, place, reason, rule, text } from './Menu.css.ts'
import type { MenuEntry, MenuPlace, MenuProps } from './menu-props.ts'

interface ShownMenu extends Pick<MenuProps, 'label' | 'entries' | 'header'> {
  anchor: RefObject<HTMLElement | null>
  placement?: 'bottom start' | 'bottom end' | 'right top' | 'left top'
  onClose: () => void
}

export function MenuList({ label, entries, header, anchor, placement = 'bottom end', onClose }: ShownMenu) {
  return (
    <Popover
      className={menu}
      aria-label={label}
      triggerRef={anchor}
      placement={placement}
      offset={4}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Entries {...{ label, entries, header, onClose }} />
    </Popover>
  )
}

/** Room in px that a menu may need at its side. */
const widestBeside = 320

/** Beside a place, a menu moves up as far as its last entry needs; below it where neither side has the room. */
function placementAt({ x, isEnd }: MenuPlace): NonNullable<ShownMenu['placement']> {
  if (Math.max(x, innerWidth - x) < widestBeside) return isEnd ? 'bottom end' : 'bottom start'
  return isEnd ? 'left top' : 'right top'
}

export function MenuAt({ at, ...shown }: Omit<ShownMenu, 'anchor' | 'placement'> & { at: MenuPlace }) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className={place} style={{ left: at.x, top: at.y }} />
      <MenuList {...shown} anchor={anchor} placement={placementAt(at)} />
    </>
  )
}

function Entries({ label, entries, header, onClose }: Omit<ShownMenu, 'anchor' | 'placement'>) {
  return (
    <AriaMenu
      className={list}
      aria-label={label}
      autoFocus="first"
      onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
      disabledKeys={entries.filter((entry) => entry.reason).map((entry) => entry.id)}
      onClose={onClose}
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
