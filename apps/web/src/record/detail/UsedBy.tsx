import { useValue } from '@legendapp/state/react'
import { usedBy, usersOf } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import { readable } from '@qd/core/store'
import { headingOf, usedByGroups } from '@qd/core/view'
import { records, session, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { useSame } from '../fields/cells.ts'
import * as items from './Items.css.ts'
import { Links, type LinkTo } from './Links.tsx'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

/** The records that reference others, by resource. Followed. */
export function useUsedBy(resource: Resource, ids: readonly number[]) {
  return useSame(() =>
    usedByGroups(surface(), usedBy(resource, ids, view)).map(({ resource: user, label, links }) => ({
      label,
      icon: user.icon,
      links: links.map(({ id, title }): LinkTo => ({ name: user.name, id, title })),
    })),
  )
}

/** Records that its deletion would affect. */
export function UsedBy({ resource, id, section }: SectionProps<'used-by'>) {
  const { t, translator } = useTexts()
  const groups = useUsedBy(resource, [id])
  const users = usersOf(resource)
  const isKnown = useValue(() => {
    const lists = readable(users, { viewer: session.viewer(), supports: session.supports })
    return lists.every(({ name }) => records.list$(name).loadedAt.get() !== null)
  })
  if (users.length === 0 || (groups.length === 0 && !isKnown)) return null
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      {groups.length === 0 && <p className={css.muted}>{t('ui.detail.unused')}</p>}
      <ul className={items.list}>
        {groups.map(({ label, icon, links }) => (
          <li key={label} className={items.item}>
            <span className={items.mark}>
              <Icon name={icon} size={14} />
            </span>
            <span className={items.kind}>{label}</span>
            <Links of={links} />
          </li>
        ))}
      </ul>
    </section>
  )
}
