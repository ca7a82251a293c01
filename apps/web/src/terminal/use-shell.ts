import { type RefObject, useEffect, useRef, useState } from 'react'
import { holdPage } from '../act/places/navigate.ts'
import { createShell, emptyView, type Shell, type ShellView } from './shell.ts'

/** A shell of a server, for as long as the page is there. Leaving it while the shell lives is asked by the browser (behaviour W-13). */
export function useShell(server: number): {
  element: RefObject<HTMLDivElement | null>
  shell: Shell | null
  view: ShellView
} {
  const element = useRef<HTMLDivElement>(null)
  const [shell, setShell] = useState<Shell | null>(null)
  const [view, setView] = useState(emptyView)
  const isLive = view.state.status === 'live'
  useEffect(() => {
    const made = createShell(element.current!, server, setView)
    setShell(made)
    return () => made.close()
  }, [server])
  useEffect(() => (isLive ? holdPage() : undefined), [isLive])
  return { element, shell, view }
}
