import { cloneElement, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../base/state/lazy-part.ts'
import type { MenuProps } from './menu-props.ts'

/** Fetches what menus are drawn with; called when the page stands, so that the first one opens at once. */
export const loadMenus = async () => (await import('./MenuList.tsx')).MenuList
const MenuList = lazyPart(loadMenus)

/** A button that opens a menu. The menu's own code is not part of the first load. */
export function Menu({ children, open, ...menu }: MenuProps) {
  const own = useState(false)
  const [isOpen, set] = open ? [open.isOpen, open.set] : own
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      {cloneElement(children, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        onPress: () => {
          // Some browsers give a pressed button no focus, and the menu gives it back to whoever had it.
          button.current?.focus()
          set(true)
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || event.defaultPrevented) return
          event.preventDefault()
          set(true)
        },
      })}
      <Suspense>{isOpen && <MenuList {...menu} anchor={button} onClose={() => set(false)} />}</Suspense>
    </>
  )
}
