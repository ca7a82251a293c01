import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import type { AnyIcon } from './Icon.tsx'
import type { MenuList } from './MenuList.tsx'

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

/** What a menu shows; the child is the button that opens it. */
export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  header?: ReactNode
  children: ReactElement<{ onPress?: () => void }>
}

let loaded: typeof MenuList | null = null

/** Fetches what menus are drawn with; called when the page stands, so that the first one opens at once. */
export async function loadMenus(): Promise<typeof MenuList> {
  loaded ??= (await import('./MenuList.tsx')).MenuList
  return loaded
}

/** A button that opens a menu. The menu's own code is not part of the first load. */
export function Menu(props: MenuProps) {
  const [isAsked, setAsked] = useState(false)
  const [, setReady] = useState(loaded !== null)
  const Loaded = loaded
  if (Loaded) return <Loaded {...props} startsOpen={isAsked} />
  const open = () => {
    setAsked(true)
    void loadMenus().then(() => setReady(true))
  }
  return cloneElement(props.children, { onPress: open })
}
