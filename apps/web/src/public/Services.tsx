import { useTexts } from '../base/state/texts.ts'
import { DaysValue } from '../record/fields/DaysValue.tsx'
import { mark } from '../ui/StateMark.css.ts'
import * as css from './Public.css.ts'
import type { PublicService } from './watched.ts'

const tones = { good: 'ok', low: 'warn', down: 'bad', noData: 'muted' } as const
const shapes = { good: 'disc', low: 'triangle', down: 'square', noData: 'ring' } as const

/** Every service with its thirty days, latency and share of time it was up. */
export function Services({ services }: { services: readonly PublicService[] }) {
  const { t } = useTexts()
  return (
    <section className={css.section}>
      <div className={css.row}>
        <h2>{t('ui.public.services')}</h2>
        <span className={css.small}>{t('ui.public.days')}</span>
      </div>
      <ul className={css.services}>
        {services.map((service) => (
          <Service key={service.id} service={service} />
        ))}
      </ul>
    </section>
  )
}

function Service({ service: { name, standing, days, delay, percent } }: { service: PublicService }) {
  const { t, say, format } = useTexts()
  const word = say(`ui.public.standing.${standing}`)
  const isWell = standing === 'good'
  const latency = delay === null ? null : format.latency(delay)
  const figures = isWell ? latency : [word, standing === 'low' ? latency : null].filter(Boolean).join(', ')
  return (
    <li className={css.service}>
      <span className={css.serviceName}>
        <span
          className={mark({ shape: shapes[standing] })}
          {...(isWell ? { role: 'img', 'aria-label': word, title: word } : { 'aria-hidden': true })}
        />
        <b className={css.brandName} title={name}>
          {name}
        </b>
      </span>
      <span className={css.serviceDays}>
        <DaysValue percents={days} />
      </span>
      <span className={isWell ? css.figure : css.figureOf[tones[standing]]}>{figures}</span>
      <span className={css.percent}>{percent < 0 ? t('ui.value.noData') : format.percent(percent, 2, true)}</span>
    </li>
  )
}
