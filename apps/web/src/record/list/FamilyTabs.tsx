import { type Resource, tabKey } from '@qd/core/define'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { navigate } from '../../act/places/navigate.ts'
import { useFamily } from '../../act/places/navigation.ts'
import { useMedia } from '../../base/hooks/use-size.ts'
import { useTexts } from '../../base/state/texts.ts'
import * as css from './FamilyTabs.css.ts'

const memberAt = (members: readonly Resource[], at: string) =>
  members.filter(({ path }) => `${at}/`.startsWith(`${path}/`)).sort((a, b) => b.path.length - a.path.length)[0]

export function useFamilyKeys(resource: Resource): void {
  const members = useFamily(resource)
  useEffect(() => {
    const step = (by: number) => {
      // Repeated keys may come before the last page is drawn.
      const here = memberAt(members, location.pathname) ?? resource
      const next = members[(members.indexOf(here) + by + members.length) % members.length]
      if (next && next !== here) navigate(next.path)
    }
    return onCommands({ previousTab: () => step(-1), nextTab: () => step(1) })
  })
}

/** Whether a resource’s tabs replace its title, on wide windows. */
export function useTabsAsTitle(resource: Resource): boolean {
  const isOneRow = useMedia('oneRow')
  return useFamily(resource).length > 0 && resource.family !== null && !isOneRow
}

/** Tabs of a family, in their own bar or, with `isTitle`, as the title. Nothing for a resource without family. */
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
