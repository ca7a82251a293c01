import { useValue } from '@legendapp/state/react'
import { service } from '@qd/core/resources'
import { watchedServices } from '@qd/core/schemas'
import { Link } from 'react-router-dom'
import { useAnswer } from '../charts/use-answer.ts'
import { TitleCell } from '../fields/Cell.tsx'
import { screenPath } from '../perform.ts'
import { records } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Sparkline } from '../ui/Sparkline.tsx'
import * as panel from './PanelFrame.css.ts'
import * as css from './ServerEvents.css.ts'

/** Points of a trend that are drawn. */
const points = 60

/** The services that this server looks at, with what it measured over the last day. */
export function ServerServices({ id }: { id: number }) {
  const { t, format } = useTexts()
  const version = useValue(() => records.version$('service').get())
  const { answer } = useAnswer(
    JSON.stringify([id, version]),
    [{ method: 'GET', path: `server/${id}/service` }],
    ([items]) => watchedServices.parse(items),
  )
  if (!answer || answer.length === 0) return null
  return (
    <section className={panel.section}>
      <h2>{t('ui.panel.checks')}</h2>
      <ul className={css.list}>
        {answer.map(({ monitor_id: monitor, monitor_name: name, avg_delay: delays }) => (
          <li key={monitor} className={css.item}>
            <Link className={css.text} to={screenPath('service', monitor)}>
              {records.peek('service', monitor) ? <TitleCell resource={service} id={monitor} /> : name}
            </Link>
            <Sparkline points={delays.slice(-points)} max={Math.max(...delays, 1) * 1.25} />
            <span className={css.side}>{delays.at(-1) ? format.latency(delays.at(-1)!) : t('ui.value.noData')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
