import { textKey } from '@qd/core/define'
import { headingOf, linksOf, toldGroup } from '@qd/core/view'
import { view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { useOfRow } from '../fields/cells.ts'
import { Links, type LinkTo } from './Links.tsx'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

/** Records that this one names, each with what it is. */
export function RecordLinks({ resource, id, section }: SectionProps<'links'>) {
  const { say, translator } = useTexts()
  const found = useOfRow(resource, id, (row) =>
    linksOf({ view }, resource, row, section.fields).map(
      ({ resource: to, id: of, title }): LinkTo => ({
        name: to.name,
        id: of,
        title: `${say(textKey.one(to.name))} ${title}`,
      }),
    ),
  )
  if (!found || found.length === 0) return null
  const heading = headingOf(translator, resource, section)
  if (heading === null) return <Links of={found} />
  return (
    <section className={css.section}>
      <h2>{heading}</h2>
      <Links of={found} />
    </section>
  )
}

/** The group that is notified and its members, and whether anything is sent at all. */
export function Tells({ resource, id, section }: SectionProps<'tells'>) {
  const { t, format, translator } = useTexts()
  const told = useOfRow(resource, id, (row) => {
    const found = toldGroup({ view }, resource, row, section)
    return found && { name: found.group.title, members: found.members.map(({ title }) => title) }
  })
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <p className={told ? undefined : css.muted}>
        {told ? `${told.name}: ${format.list(told.members)}` : t('ui.incident.tellsNobody')}
      </p>
    </section>
  )
}
