import { cloneElement, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { loadAllTexts } from '../../state/texts.ts'
import type { MenuList } from './MenuList.tsx'
import type { MenuProps } from './menu-props.ts'

let loaded: typeof MenuList | null = null

/** Fetches what menus are drawn with; called when the page stands, so that the first one opens at once. */
export async function loadMenus(): Promise<typeof MenuList> {
  const [{ MenuList }] = await Promise.all([import('./MenuList.tsx'), loadAllTexts()])
  loaded = MenuList
  return loaded
}

/** A button that opens a menu. The menu's own code is not part of the first load. */
export function Menu(props: MenuProps) {
  const own = useState(false)
  const [isOpen, set] = props.open ? [props.open.isOpen, props.open.set] : own
  const [, setReady] = useState(loaded !== null)
  useEffect(() => {
    if (isOpen && loaded === null) void loadMenus().then(() => setReady(true))
  }, [isOpen])
  const root = useKeptFocus(loaded !== null)
  const Loaded = loaded
  return (
    <span ref={root} style={{ display: 'contents' }}>
      {Loaded ? (
        <Loaded {...props} open={{ isOpen, set }} />
      ) : (
        cloneElement(props.children, { onPress: () => set(true) })
      )}
    </span>
  )
}

/** The button is another one once the menu's code is there: who stands on it is not to lose their place. */
function useKeptFocus(isLoaded: boolean): RefObject<HTMLSpanElement | null> {
  const root = useRef<HTMLSpanElement>(null)
  const isOn = useRef(false)
  const before = useRef(isLoaded)
  if (before.current !== isLoaded) {
    before.current = isLoaded
    isOn.current = root.current?.contains(document.activeElement) ?? false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment the button is another one
  useLayoutEffect(() => {
    if (isOn.current && document.activeElement === document.body) root.current?.querySelector('button')?.focus()
    isOn.current = false
  }, [isLoaded])
  return root
}
