import { cloneElement, Suspense, useRef, useState } from 'react'
import { lazyPart } from '../../base/state/lazy-part.ts'
import type { MenuProps } from './menu-props.ts'

/** Loaded when the page is idle, so that the first menu opens at once. */
export const loadMenus = async () => (await import('./MenuList.tsx')).MenuList
const MenuList = lazyPart(loadMenus)

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
          // Some browsers don’t focus a pressed button, which gets the focus back from the menu.
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
