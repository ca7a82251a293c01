import type { ReactElement, ReactNode } from 'react'
import type { ButtonProps } from '../Button.tsx'
import type { AnyIcon } from '../drawings/Icon.tsx'

/** `reason` disables it and says why; `chosen` shows a check, or the icon it names. */
export interface MenuEntry {
  id: string
  label: string
  icon?: AnyIcon
  caps?: readonly string[]
  reason?: string | null
  tone?: 'plain' | 'bad'
  chosen?: boolean | AnyIcon
  stays?: boolean
  ruled?: boolean
  run: () => void
}

export type MenuButtonProps = Pick<ButtonProps, 'ref' | 'onPress' | 'onKeyDown' | 'aria-haspopup' | 'aria-expanded'>

export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  header?: ReactNode
  children: ReactElement<MenuButtonProps>
  open?: { isOpen: boolean; set: (isOpen: boolean) => void }
}

/** In px of the window. `isEnd`: the right edge. */
export interface MenuPlace {
  x: number
  y: number
  isEnd: boolean
}
