import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { AnyIcon } from '../drawings/Icon.tsx'
import type { MenuList } from './MenuList.tsx'

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

/** What a menu shows; the child is the button that opens it. */
export interface MenuProps {
  label: string
  entries: readonly MenuEntry[]
  header?: ReactNode
  children: ReactElement<{ onPress?: () => void }>
  /** Whoever opens it by other means than its button says whether it is open. */
  open?: { isOpen: boolean; set: (isOpen: boolean) => void }
}

/** Where a menu without a button opens, in px of the window. `isEnd`: its right edge stands there. */
export interface MenuPlace {
  x: number
  y: number
  isEnd: boolean
}

let loaded: typeof MenuList | null = null

/** Fetches what menus are drawn with; called when the page stands, so that the first one opens at once. */
export async function loadMenus(): Promise<typeof MenuList> {
  loaded ??= (await import('./MenuList.tsx')).MenuList
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
