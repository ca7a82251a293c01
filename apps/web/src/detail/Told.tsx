import { useValue } from '@legendapp/state/react'
import { fieldKey, textKey } from '@qd/core/define'
import type { Told } from '@qd/core/schemas'
import { headingOf, linksOf, toldGroup } from '@qd/core/view'
import { useOfRow } from '../fields/cells.ts'
import { records, view } from '../state/stores.ts'
import { useTexts } from '../state/texts.ts'
import { ResultWord } from '../ui/StateMark.tsx'
import * as items from './Items.css.ts'
import * as links from './Links.css.ts'
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

/** The group that is told and who is in it; with whether anything is told at all. */
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

/** Whom it told, and what came of it. */
export function ToldWhom({ resource, id, section }: SectionProps<'told'>) {
  const { t, say, format } = useTexts()
  const told = useValue(() => records.row$(resource.name, id).get()?.[section.field] as Told | undefined) ?? []
  return (
    <section className={css.section}>
      <h2>{say(fieldKey(resource, section.heading))}</h2>
      {told.length === 0 && <p className={css.muted}>{t('ui.incident.toldNobody')}</p>}
      <ul className={items.list}>
        {told.map(({ notification_id: notifier, name, at, ok, error }) => (
          <li key={`${notifier} ${at}`} className={items.item}>
            <time className={items.time} dateTime={at} title={format.instantFull(at)}>
              {format.instant(at, view.now)}
            </time>
            <span className={items.text}>
              {name}
              {!ok && <span className={links.reason}>{` ${error}`}</span>}
            </span>
            <ResultWord tone={ok ? 'ok' : 'bad'} text={t(ok ? 'ui.incident.sent' : 'ui.incident.notSent')} />
          </li>
        ))}
      </ul>
    </section>
  )
}
