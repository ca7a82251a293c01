import { useValue } from '@legendapp/state/react'
import { service } from '@qd/core/resources'
import { watchedServices } from '@qd/core/schemas'
import { headingOf, recordPath } from '@qd/core/view'
import { Link } from 'react-router-dom'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Sparkline } from '../../ui/drawings/Sparkline.tsx'
import { useAnswer } from '../charts/use-answer.ts'
import { TitleCell } from '../fields/Cell.tsx'
import * as css from './Items.css.ts'
import * as panel from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

/** Points of a trend that are drawn. */
const points = 60

/** The services that a server looks at, with what it measured over the last day. */
export function Checks({ resource, id, section }: SectionProps<'checks'>) {
  const { t, format, translator } = useTexts()
  const version = useValue(() => records.version$(service.name).get())
  const path = section.path.replace('{id}', String(id))
  const { answer } = useAnswer(JSON.stringify([path, version]), [{ method: 'GET', path }], ([items]) =>
    watchedServices().parse(items),
  )
  if (!answer || answer.length === 0) return null
  return (
    <section className={panel.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ul className={css.list}>
        {answer.map(({ monitor_id: monitor, monitor_name: name, avg_delay: delays }) => (
          <li key={monitor} className={css.item}>
            <Link className={css.text} to={recordPath(service, monitor)}>
              {records.peek(service.name, monitor) ? <TitleCell resource={service} id={monitor} /> : name}
            </Link>
            <Sparkline points={delays.slice(-points)} max={Math.max(...delays, 1) * 1.25} />
            <span className={css.side}>{delays.at(-1) ? format.latency(delays.at(-1)!) : t('ui.value.noData')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
