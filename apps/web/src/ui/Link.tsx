import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from '../navigate.ts'

/** A link inside the console: followed without loading the page anew, unless the browser is asked for another tab or window. */
export function Link({ to, onClick, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  // biome-ignore lint/a11y/useValidAnchor: it has an address; the handler only spares the page a reload
  return <a {...rest} href={to} onClick={follow} />
}
