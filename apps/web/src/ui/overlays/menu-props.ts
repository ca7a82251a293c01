import type { ReactElement, ReactNode } from 'react'
import type { ButtonProps } from '../Button.tsx'
import type { AnyIcon } from '../drawings/Icon.tsx'

/** One entry of a menu. `reason` makes it grey and says why; `chosen` shows a check, or the icon it names. */
export interface MenuEntry {
  id: string
  label: string
  icon?: AnyIcon
  caps?: readonly string[]
  reason?: string | null
  tone?: 'plain' | 'bad'
  chosen?: boolean | AnyIcon
  /** The menu stays open when it is chosen, for several can be. */
  stays?: boolean
  /** A line stands above this entry. */
  ruled?: boolean
  run: () => void
}

/** What a menu gives to the button that opens it. */
export type MenuButtonProps = Pick<ButtonProps, 'ref' | 'onPress' | 'onKeyDown' | 'aria-haspopup' | 'aria-expanded'>

/** What a menu shows; the child is the button that opens it. */
export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  header?: ReactNode
  children: ReactElement<MenuButtonProps>
  /** Whoever opens it by other means than its button says whether it is open. */
  open?: { isOpen: boolean; set: (isOpen: boolean) => void }
}

/** Where a menu without a button opens, in px of the window. `isEnd`: its right edge stands there. */
export interface MenuPlace {
  x: number
  y: number
  isEnd: boolean
}
