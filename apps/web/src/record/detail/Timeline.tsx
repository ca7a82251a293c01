import { run as runResource } from '@qd/core/resources'
import { headingOf, type Moment, momentsOf, recordPath } from '@qd/core/view'
import { Link } from 'react-router-dom'
import { view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { type AnyIcon, Icon } from '../../ui/drawings/Icon.tsx'
import { ResultWord } from '../../ui/StateMark.tsx'
import { useOfRow } from '../fields/cells.ts'
import * as items from './Items.css.ts'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

const icons = {
  opened: 'siren',
  closed: 'check',
  told: 'send',
  acknowledged: 'check',
  silenced: 'bell-off',
  unsilenced: 'bell',
  note: 'pencil',
  run: 'play',
} satisfies Record<Moment['kind'], AnyIcon>

/** All that happened in the time of a record, oldest first. */
export function Timeline({ resource, id, section }: SectionProps<'timeline'>) {
  const { translator, format } = useTexts()
  const moments = useOfRow(resource, id, (row) => momentsOf({ translator, format, view }, row, section)) ?? []
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ol className={items.list}>
        {moments.map(({ at, kind, text, result, run }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what has happened stays where it is
          <li key={`${at} ${index}`} className={items.item}>
            <time className={items.time} dateTime={at} title={format.instantFull(at)}>
              {format.instant(at, view.now)}
            </time>
            <span className={items.mark}>
              <Icon name={icons[kind]} size={14} />
            </span>
            <span className={kind === 'note' ? items.written : items.text}>
              {run > 0 ? <Link to={recordPath(runResource, run)}>{text}</Link> : text}
            </span>
            {result && <ResultWord {...result} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
