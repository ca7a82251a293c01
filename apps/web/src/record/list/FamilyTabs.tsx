import { type Resource, tabKey } from '@qd/core/define'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { navigate } from '../../act/places/navigate.ts'
import { useFamily } from '../../act/places/navigation.ts'
import { useMedia } from '../../base/hooks/use-media.ts'
import { useTexts } from '../../base/state/texts.ts'
import * as css from './FamilyTabs.css.ts'

/** Whose page an address is: a list's own, or that of one of its records. */
const memberAt = (members: readonly Resource[], at: string) =>
  members.filter(({ path }) => `${at}/`.startsWith(`${path}/`)).sort((a, b) => b.path.length - a.path.length)[0]

/** `[` and `]` go to the list before and after among those that share a tab. */
export function useFamilyKeys(resource: Resource): void {
  const members = useFamily(resource)
  useEffect(() => {
    const step = (by: number) => {
      // A key that comes before the page of the one before it is drawn goes on from there.
      const here = memberAt(members, location.pathname) ?? resource
      const next = members[(members.indexOf(here) + by + members.length) % members.length]
      if (next && next !== here) navigate(next.path)
    }
    return onCommands({ previousTab: () => step(-1), nextTab: () => step(1) })
  })
}

/** Whether the tabs of a resource are in the row of its title, where the window is wide enough for both. */
export function useTabsAsTitle(resource: Resource): boolean {
  const isOneRow = useMedia('oneRow')
  return useFamily(resource).length > 0 && resource.family !== null && !isOneRow
}

/** The lists that share a tab, side by side, in a bar of their own or, with `isTitle`, in place of the page's title. Nothing for a resource that stands alone. */
export function FamilyTabs({ resource, isTitle = false }: { resource: Resource; isTitle?: boolean }) {
  const { t, say } = useTexts()
  const members = useFamily(resource)
  const bar = useRef<HTMLElement>(null)
  // Not all of them fit on a phone: the one of this page is in the middle, or as near as the ends allow.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which tabs there are, and in which language, moves it
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [resource, members.length, t])
  if (resource.family === null || members.length === 0) return null
  const hint = [...capsOf('previousTab'), ...capsOf('nextTab')].join(' ')
  return (
    <nav
      ref={bar}
      className={isTitle ? css.title : css.bar}
      data-scrolls
      aria-label={t(`ui.families.${resource.family}`)}
    >
      {members.map((member) => (
        <Link
          key={member.name}
          to={member.path}
          className={css.tab}
          title={hint}
          aria-current={member === resource ? 'page' : undefined}
        >
          {say(tabKey(member))}
        </Link>
      ))}
    </nav>
  )
}
