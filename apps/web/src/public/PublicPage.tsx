import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { Suspense } from 'react'
import { useSeconds } from '../base/hooks/use-timers.ts'
import { lazyPart } from '../base/state/lazy-part.ts'
import { productName } from '../base/state/product.ts'
import { useTexts } from '../base/state/texts.ts'
import { DaysValue } from '../record/fields/DaysValue.tsx'
import { Logo } from '../ui/drawings/Logo.tsx'
import { mark } from '../ui/StateMark.css.ts'
import { LanguageChoice, ThemeChoice } from './Choices.tsx'
import { isComplete, type PublicState } from './feed.ts'
import { Groups } from './Groups.tsx'
import { Problems } from './Problems.tsx'
import * as css from './Public.css.ts'
import { place$, serverAt } from './place.ts'
import { summaryOf } from './summary.ts'
import type { PublicService } from './watched.ts'

const tones = { good: 'ok', low: 'warn', down: 'bad', noData: 'muted' } as const
const shapes = { good: 'disc', low: 'triangle', down: 'square', noData: 'ring' } as const

function Services({ services }: { services: readonly PublicService[] }) {
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

function Service({ service: { name, state, days, delay, percent } }: { service: PublicService }) {
  const { t, say, format } = useTexts()
  const word = say(`ui.public.state.${state}`)
  const isWell = state === 'good'
  const latency = delay === null ? null : format.latency(delay)
  const figures = isWell ? latency : [word, state === 'low' ? latency : null].filter(Boolean).join(', ')
  return (
    <li className={css.service}>
      <span className={css.serviceName}>
        <span
          className={mark({ shape: shapes[state] })}
          {...(isWell ? { role: 'img', 'aria-label': word, title: word } : { 'aria-hidden': true })}
        />
        <b className={css.brandName} title={name}>
          {name}
        </b>
      </span>
      <span className={css.serviceDays}>
        <DaysValue percents={days} />
      </span>
      <span className={isWell ? css.figure : css.figureOf[tones[state]]}>{figures}</span>
      <span className={css.percent}>{percent < 0 ? t('ui.value.noData') : format.percent(percent, 2, true)}</span>
    </li>
  )
}

/** With its charts, which the first load does without. */
const ServerPage = lazyPart(async () => (await import('./ServerPage.tsx')).ServerPage)

export function PublicPage({ state$, hasSession }: { state$: Observable<PublicState>; hasSession: boolean }) {
  const { t } = useTexts()
  const state = useValue(state$)
  const { site, servers, groups, services, incidents, heardAt, feed, isClosed } = state
  const name = site || productName
  const isKnown = heardAt !== null
  const isReady = isComplete(state)
  const serverId = serverAt(useValue(place$))
  return (
    <div className={css.page}>
      <header className={css.top}>
        <span className={css.brand}>
          <Logo />
          <span className={css.brandName} title={name}>
            {name}
          </span>
        </span>
        <span className={css.grow} />
        {feed.status === 'live' && <span className={css.live}>{t('ui.public.live')}</span>}
        <ThemeChoice />
        <a className={css.link} href={hasSession ? '/dashboard/' : '/dashboard/login'}>
          {hasSession ? t('ui.public.console') : t('ui.login.submit')}
        </a>
      </header>
      <main className={css.main}>
        {!isKnown && isClosed ? (
          <Closed />
        ) : serverId !== null && isReady ? (
          <Suspense>
            <ServerPage key={serverId} id={serverId} servers={servers} incidents={incidents} site={name} />
          </Suspense>
        ) : (
          <>
            <Hero {...{ servers, services }} heardAt={isReady ? heardAt : null} isLost={feed.status === 'lost'} />
            {isReady && isKnown && <Problems servers={servers} incidents={incidents} />}
            {isReady && services !== null && services.length > 0 && <Services services={services} />}
            {isReady && servers.length > 0 && <Groups servers={servers} groups={groups} />}
          </>
        )}
      </main>
      <footer className={css.foot}>
        <span>{name}</span>
        <a className={css.footLink} href="/wall">
          {t('ui.public.wall')}
        </a>
        <span className={css.grow} />
        <LanguageChoice />
      </footer>
    </div>
  )
}

function Closed() {
  const { t } = useTexts()
  return (
    <section className={css.hero}>
      <span className={css.heroMark.muted} />
      <div>
        <h1 className={css.heroTitle}>{t('ui.public.closed')}</h1>
        <p className={css.heroText}>{t('ui.public.closedText')}</p>
      </div>
    </section>
  )
}

function Hero({
  servers,
  services,
  heardAt,
  isLost,
}: Pick<PublicState, 'servers' | 'services' | 'heardAt'> & { isLost: boolean }) {
  const { t, format } = useTexts()
  const now = useSeconds(true)
  const { tone, text } = summaryOf(t, { servers, services, heardAt, isLost })
  const online = servers.filter((server) => server.isOnline).length
  return (
    <section className={css.hero} aria-live="polite">
      <span className={css.heroMark[tone]} aria-hidden="true" />
      <div>
        <h1 className={css.heroTitle}>{text}</h1>
        {heardAt !== null && (
          <p className={css.heroText} aria-live="off">
            {t('ui.public.checked', {
              online,
              total: servers.length,
              span: format.duration(Math.max(0, Math.round((now - heardAt) / 1000))),
              time: format.clock(heardAt),
              zone: format.offset(heardAt),
            })}
          </p>
        )}
      </div>
    </section>
  )
}
