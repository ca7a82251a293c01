import { useValue } from '@legendapp/state/react'
import { actionOf, allowed, textKey } from '@qd/core/define'
import { incident, setting } from '@qd/core/resources'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { capsOf } from '../../../act/keys/keys.ts'
import { signOut } from '../../../act/perform/lazy-perform.ts'
import { navigate } from '../../../act/places/navigate.ts'
import { resourceAt, tabLabel, useLists, useTabs } from '../../../act/places/navigation.ts'
import { useSeconds } from '../../../base/hooks/use-timers.ts'
import { ports, tabStorage } from '../../../base/ports.ts'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { notify, overlays$ } from '../../../base/state/overlays.ts'
import { useSite, useWho } from '../../../base/state/site.ts'
import { isAnswered, live, records, session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { areFirstStepsDismissed, dismissFirstSteps } from '../../../record/connect/first-steps-dismissed.ts'
import { nameHere } from '../../../record/connect/name-here.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import { Logo } from '../../../ui/drawings/Logo.tsx'
import { Keycap } from '../../../ui/Keycap.tsx'
import { Banner } from '../../../ui/Note.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { MenuButtonProps } from '../../../ui/overlays/menu-props.ts'
import { spoken } from '../../../ui/Page.css.ts'
import { Avatar } from './Avatar.tsx'
import { Clock } from './Clock.tsx'
import * as css from './Frame.css.ts'
import { ThemeMenu } from './FrameMenus.tsx'
import { Hints } from './Hints.tsx'

const ProxyAdvice = lazyPart(async () => (await import('./ProxyAdvice.tsx')).ProxyAdvice)

/** Shown while the live feed is down: age of the data, next try, and the key that retries now. */
function LostBanner() {
  const { t, format } = useTexts()
  const feed = useValue(live.state$.feed)
  const heardAt = useValue(() => (live.state$.feed.status.get() === 'lost' ? live.state$.heardAt.get() : null))
  const now = useSeconds(feed.status === 'lost')
  if (feed.status !== 'lost') return null
  const seconds = (from: number, to: number) => format.duration(Math.max(0, Math.round((to - from) / 1000)))
  const isTrying = feed.retryAt <= now
  return (
    <Banner
      tone="warn"
      title={t('ui.live.lost')}
      action={
        <Button caps={capsOf('reload')} onPress={() => live.retryNow()}>
          {t('ui.live.tryNow')}
        </Button>
      }
    >
      {heardAt !== null && `${t('ui.live.known', { time: format.clock(heardAt), span: seconds(heardAt, now) })} `}
      <Suspense>{heardAt === null && <ProxyAdvice />}</Suspense>
      {isTrying ? t('ui.live.trying') : t('ui.live.again', { span: seconds(now, feed.retryAt) })}
    </Banner>
  )
}

const NameQuestion = lazyPart(async () => (await import('../../../record/connect/NameQuestion.tsx')).NameQuestion)
const nameLaterKey = 'name-later'

/** Asks for the console’s name until confirmed. A postponed question comes back in another tab. */
function NamePlace() {
  const name = nameHere()
  const [isLater, setLater] = useState(() => tabStorage.get(nameLaterKey) !== null)
  const isOpen = useValue(() => {
    const known = records.row$('setting', 1).get()
    const may = allowed(session.viewer(), actionOf(setting, 'edit'))
    return may && session.supports('nat-domains') && known !== undefined && !known.dashboard_host
  })
  if (name === null || isLater || !isOpen) return null
  const later = () => {
    tabStorage.set(nameLaterKey, '1')
    setLater(true)
  }
  return (
    <Suspense>
      <NameQuestion name={name} onLater={later} />
    </Suspense>
  )
}

const FirstSteps = lazyPart(async () => (await import('../../../record/connect/FirstSteps.tsx')).FirstSteps)

/** The first steps, above the first page. Reserves their room, so that the list below doesn't move. */
function FirstStepsPlace() {
  const { pathname } = useLocation()
  const id = useValue(() => session.state$.profile.get()?.id ?? null)
  return id !== null && /^\/dashboard\/?$/.test(pathname) && <FirstStepsRoom id={id} />
}

function FirstStepsRoom({ id }: { id: number }) {
  const [isDismissed, setDismissed] = useState(() => areFirstStepsDismissed(ports.storage, id))
  // The card's requests follow the list's first answer. A reload keeps the card.
  const isListed = useValue(() => isAnswered('server'))
  const dismiss = () => {
    dismissFirstSteps(ports.storage, id)
    setDismissed(true)
  }
  return (
    !isDismissed && (
      <div className={css.firstSteps}>
        <Suspense>{isListed && <FirstSteps onDismiss={dismiss} />}</Suspense>
      </div>
    )
  )
}

const SideMenu = lazyPart(async () => (await import('./SideMenu.tsx')).SideMenu)

export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const { name } = useSite()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const { pathname } = useLocation()
  const open = useOpenIncidents()
  const pageName = usePageName(pathname)
  useEffect(() => records.watch('setting'), [])
  useEffect(() => {
    const title = pageName === '' ? name : `${pageName} · ${name}`
    document.title = open > 0 ? `(${open}) ${title}` : title
  }, [name, open, pageName])
  return (
    <div className={css.app}>
      <a className={css.skip} href="#main">
        {t('ui.frame.skip')}
      </a>
      <header className={css.top}>
        <span className={css.menuButton}>
          <IconButton label={t('ui.frame.menu')} icon="menu" onPress={() => setMenuOpen(true)} />
        </span>
        <Link className={css.brand} to="/dashboard" title={name}>
          <Logo />
          <span className={css.brandName}>{name}</span>
        </Link>
        <Tabs />
        <DemoPill />
        <span className={css.grow} />
        <IncidentBadge count={open} />
        <SearchButton />
        <Clock className={css.clock} />
        <span className={css.onWide}>
          <ThemeMenu />
        </span>
        <AccountMenu />
      </header>
      <main className={css.main} id="main" tabIndex={-1}>
        <LostBanner />
        <NamePlace />
        <FirstStepsPlace />
        {children}
      </main>
      <Hints />
      <Suspense>{isMenuOpen && <SideMenu key={pathname} onClose={() => setMenuOpen(false)} />}</Suspense>
    </div>
  )
}

function usePageName(pathname: string): string {
  const { t, say } = useTexts()
  if (pathname === '/dashboard/profile') return say(textKey.one('account'))
  if (pathname === '/dashboard/settings') return t('ui.frame.settings')
  const resource = resourceAt(pathname)
  const isPage = resource && (resource.path !== '/dashboard' || /^\/dashboard\/?$/.test(pathname))
  return isPage ? say(textKey.many(resource.name)) : ''
}

function Tabs() {
  const texts = useTexts()
  const { pathname } = useLocation()
  const current = resourceAt(pathname)
  return (
    <nav className={css.tabs} aria-label={texts.t('ui.frame.main')}>
      {useTabs().map((tab) => (
        <Link
          key={tab.members[0]!.name}
          to={tab.members[0]!.path}
          className={css.tab}
          aria-current={current && tab.members.includes(current) ? 'page' : undefined}
        >
          {tabLabel(tab, texts)}
        </Link>
      ))}
    </nav>
  )
}

function DemoPill() {
  const { t } = useTexts()
  const isDemo = useValue(() => session.supports('demo'))
  if (!isDemo) return null
  return (
    <button
      type="button"
      className={css.demo}
      title={t('ui.demo.text')}
      onClick={() => notify({ tone: 'plain', title: t('ui.demo.title'), details: [t('ui.demo.text')] })}
    >
      {t('ui.demo.name')}
    </button>
  )
}

function SearchButton() {
  const { t } = useTexts()
  const caps = useValue(() => capsOf('palette').join(' '))
  return (
    <button
      type="button"
      className={css.search}
      onClick={() => overlays$.palette.set({ mode: 'all' })}
      title={t('ui.frame.palette')}
    >
      <span className={spoken}>{t('ui.frame.palette')}</span>
      <Icon name="search" size={14} />
      <span className={css.searchText}>{t('ui.frame.search')}</span>
      <span className={css.searchKey}>
        <Keycap caps={[caps]} />
      </span>
    </button>
  )
}

function AccountMenu() {
  const { t, say } = useTexts()
  const lists = useLists('menu')
  const { name, address } = useWho()
  const entries = [
    {
      id: 'profile',
      label: say(textKey.one('account')),
      icon: 'user',
      caps: capsOf('go:account'),
      run: () => navigate('/dashboard/profile'),
    },
    {
      id: 'settings',
      label: t('ui.frame.settings'),
      icon: 'sliders-horizontal',
      caps: capsOf('go:setting'),
      run: () => navigate('/dashboard/settings'),
    },
    ...lists.map(({ name, path, icon }) => ({
      id: name,
      label: say(textKey.many(name)),
      icon,
      run: () => navigate(path),
    })),
    {
      id: 'keys',
      label: t('ui.commands.keys'),
      icon: 'keyboard',
      caps: capsOf('keys'),
      run: () => overlays$.keys.set(true),
    },
    {
      id: 'logout',
      label: say(textKey.action('account', 'sign-out')),
      icon: 'log-out',
      ruled: true,
      run: () => void signOut(),
    },
  ] as const
  return (
    <Menu
      label={t('ui.frame.account', { name, address })}
      entries={entries}
      header={
        <div className={css.menuHead}>
          <Avatar size={32} />
          <span className={css.menuWho}>
            <b>{t('ui.frame.hello', { name })}</b>
            <span className={css.small}>{address && t('ui.frame.from', { address })}</span>
            <Clock className={css.small} />
          </span>
        </div>
      }
    >
      <WhoButton />
    </Menu>
  )
}

function WhoButton({ onPress, ...props }: MenuButtonProps) {
  const { t } = useTexts()
  const { name, address } = useWho()
  return (
    <button type="button" className={css.who} {...props} onClick={onPress}>
      <span className={spoken}>{t('ui.frame.account', { name, address })}</span>
      <Avatar />
      <span className={css.hello}>{t('ui.frame.hello', { name })}</span>
      <span className={css.from}>{address && t('ui.frame.from', { address })}</span>
    </button>
  )
}

/** Number of open incidents, by the server's count. */
function useOpenIncidents(): number {
  const isKept = useValue(() => session.supports('incidents'))
  useEffect(() => (isKept ? records.watch('incident') : undefined), [isKept])
  return useValue(() => (isKept ? (records.list$('incident').pages.get()?.counts.open ?? 0) : 0))
}

function IncidentBadge({ count }: { count: number }) {
  const { t, format } = useTexts()
  const words = t('ui.frame.incidents', { count })
  return (
    <>
      <span className={spoken} role="status">
        {count > 0 && words}
      </span>
      {count > 0 && (
        <Link className={css.badge} to={`${incident.path}?q=open`} aria-label={words} title={words}>
          <Icon name="siren" size={14} />
          {format.number(count)}
        </Link>
      )}
    </>
  )
}
