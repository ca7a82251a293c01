import { Fragment, type ReactElement, type ReactNode } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components'
import { type AnyIcon, Icon } from './Icon.tsx'
import { Keycap } from './Keycap.tsx'
import { icon, item, list, menu, reason, rule, text } from './Menu.css.ts'

/** One entry of a menu. `reason` makes it grey and says why; `chosen` shows a check. */
export interface MenuEntry {
  id: string
  label: string
  icon?: AnyIcon
  caps?: readonly string[]
  reason?: string | null
  tone?: 'plain' | 'bad'
  chosen?: boolean
  /** A line stands above this entry. */
  ruled?: boolean
  run: () => void
}

/** A button (the child) that opens a menu. */
export function Menu({
  label,
  entries,
  header,
  children,
}: {
  label: string
  entries: readonly MenuEntry[]
  header?: ReactNode
  children: ReactElement
}) {
  return (
    <MenuTrigger>
      {children}
      <Popover className={menu} placement="bottom end" offset={4}>
        <AriaMenu
          className={list}
          aria-label={label}
          onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
          disabledKeys={entries.filter((entry) => entry.reason).map((entry) => entry.id)}
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
      </Popover>
    </MenuTrigger>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  return (
    <MenuItem id={entry.id} textValue={entry.label} className={item} data-tone={entry.tone}>
      {entry.icon && (
        <span className={icon}>
          <Icon name={entry.icon} />
        </span>
      )}
      <span className={text}>
        {entry.label}
        {entry.reason && <span className={reason}>{entry.reason}</span>}
      </span>
      {entry.chosen && <Icon name="check" size={14} />}
      {entry.caps && <Keycap caps={entry.caps} />}
    </MenuItem>
  )
}
