import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { plainText, planTexts, readPlan } from '@qd/core/fields'
import type { CSSProperties } from 'react'
import { productName } from '../product.ts'
import { useTexts } from '../texts.ts'
import { Logo } from '../ui/Logo.tsx'
import { useSeconds } from '../views/use-seconds.ts'
import type { PublicServer, PublicState } from './feed.ts'
import * as css from './Public.css.ts'

/** From this CPU load a tile says that the server is busy (tokens.md 6). */
const busyFrom = 90

/** The page for visitors: how the servers stand, without anything hidden from visitors. Read-only. */
export function PublicPage({ state$, hasSession }: { state$: Observable<PublicState>; hasSession: boolean }) {
  const { t } = useTexts()
  const { site, servers, groups, heardAt, feed, isClosed } = useValue(state$)
  const name = site || productName
  const isKnown = heardAt !== null
  return (
    <div className={css.page}>
      <header className={css.top}>
        <span className={css.brand}>
          <Logo />
          <span className={css.brandName}>{name}</span>
        </span>
        <span className={css.grow} />
        {feed.status === 'live' && <span className={css.small}>{t('ui.public.live')}</span>}
        <a className={css.link} href={hasSession ? '/dashboard/' : '/dashboard/login'}>
          {hasSession ? t('ui.public.console') : t('ui.login.submit')}
        </a>
      </header>
      <main className={css.main}>
        {isKnown || !isClosed ? (
          <Hero servers={servers} heardAt={heardAt} isLost={feed.status === 'lost'} />
        ) : (
          <Closed />
        )}
        {isKnown && <Troubles servers={servers} />}
        {servers.length > 0 && <Groups servers={servers} groups={groups} />}
      </main>
      <footer className={css.foot}>
        <span>{name}</span>
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
  heardAt,
  isLost,
}: {
  servers: readonly PublicServer[]
  heardAt: number | null
  isLost: boolean
}) {
  const { t, format } = useTexts()
  const now = useSeconds(true)
  const online = servers.filter((server) => server.isOnline).length
  const offline = servers.filter((server) => !server.isOnline && server.isKnown).length
  const mark = heardAt === null || isLost || servers.length === 0 ? 'muted' : offline > 0 ? 'warn' : 'ok'
  const title = () => {
    if (heardAt === null) return t('ui.list.loading')
    if (isLost) return t('ui.live.lost')
    if (servers.length === 0) return t('ui.public.none')
    return offline === 0
      ? t('ui.public.allOnline', { count: online })
      : t('ui.public.offline', { count: offline, total: servers.length })
  }
  return (
    <section className={css.hero} aria-live="polite">
      <span className={css.heroMark[mark]} aria-hidden="true" />
      <div>
        <h1 className={css.heroTitle}>{title()}</h1>
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

function Troubles({ servers }: { servers: readonly PublicServer[] }) {
  const { t, format } = useTexts()
  const now = useSeconds(false)
  const down = servers.filter((server) => !server.isOnline && server.isKnown)
  if (down.length === 0) return null
  return (
    <section className={css.section}>
      {down.map((server) => (
        <div key={server.id} className={css.trouble}>
          <b>{t('ui.public.isOffline', { name: server.name })}</b>
          {server.lastActive !== null && (
            <span className={css.small}>
              {t('ui.public.lastSeen', { since: format.since(server.lastActive, now) })}
            </span>
          )}
        </div>
      ))}
    </section>
  )
}

function Groups({ servers, groups }: Pick<PublicState, 'servers' | 'groups'>) {
  const { t } = useTexts()
  const grouped = new Set(groups.flatMap((group) => group.servers))
  const rest = servers.filter(({ id }) => !grouped.has(id))
  const named = groups.map(({ name, servers: ids }) => ({
    name,
    members: servers.filter(({ id }) => ids.includes(id)),
  }))
  const shown = [
    ...named,
    { name: groups.length > 0 ? t('ui.public.others') : t('ui.public.all'), members: rest },
  ].filter(({ members }) => members.length > 0)
  return (
    <section className={css.section}>
      <div className={css.row}>
        <h2>{t('ui.public.servers')}</h2>
        <span className={css.small}>{t('ui.public.tiles')}</span>
      </div>
      <div className={css.groups}>
        {shown.map(({ name, members }) => (
          <Group key={name} name={name} members={members} />
        ))}
      </div>
    </section>
  )
}

function Group({ name, members }: { name: string; members: readonly PublicServer[] }) {
  const { t } = useTexts()
  const online = members.filter((server) => server.isOnline).length
  return (
    <div className={css.group}>
      <div className={css.row}>
        <b>{name}</b>
        <span className={online < members.length ? css.bad : css.small}>
          {online < members.length
            ? t('ui.public.someOnline', { online, total: members.length })
            : t('ui.public.online', { count: online })}
        </span>
      </div>
      <ul className={css.tiles}>
        {members.map((server) => (
          <Tile key={server.id} server={server} />
        ))}
      </ul>
    </div>
  )
}

function Tile({ server }: { server: PublicServer }) {
  const { t, format, translator } = useTexts()
  const load = server.load ?? 0
  const look = server.isOnline ? (load >= busyFrom ? 'busy' : 'online') : server.isKnown ? 'offline' : 'never'
  const word = server.isOnline
    ? t('ui.public.tileOnline', { name: server.name, load: format.percent(load) })
    : t('ui.public.isOffline', { name: server.name })
  const plan = readPlan(server.note)
  const note = plan ? planTexts(translator, plan).map(plainText).join(' · ') : server.note
  const title = note === '' ? word : `${word}. ${note}`
  return (
    <li className={css.tileOf[look]} style={{ [css.filled]: load } as CSSProperties} title={title}>
      <span role="img" aria-label={title} />
    </li>
  )
}
