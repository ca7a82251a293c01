import { useValue } from '@legendapp/state/react'
import { textKey } from '@qd/core/define'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { capsOf } from '../../../act/keys/keys.ts'
import { signOut } from '../../../act/perform/late.ts'
import { navigate } from '../../../act/places/navigate.ts'
import { resourceAt, tabLabel, useLists, useTabs } from '../../../act/places/navigation.ts'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { overlays$ } from '../../../base/state/overlays.ts'
import { useSite, useWho } from '../../../base/state/site.ts'
import { records } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import { Logo } from '../../../ui/drawings/Logo.tsx'
import { Keycap } from '../../../ui/Keycap.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { MenuButtonProps } from '../../../ui/overlays/menu-props.ts'
import { spoken } from '../../../ui/Page.css.ts'
import { Avatar } from './Avatar.tsx'
import { Clock } from './Clock.tsx'
import * as css from './Frame.css.ts'
import { ThemeMenu } from './FrameMenus.tsx'
import { Hints } from './Hints.tsx'
import { IncidentBadge, useOpenIncidents } from './IncidentBadge.tsx'
import { LostBanner } from './LostBanner.tsx'
import { NamePlace } from './NamePlace.tsx'

const SideMenu = lazyPart(async () => (await import('./SideMenu.tsx')).SideMenu)

/** Everything around a page of the console. */
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
        {children}
      </main>
      <Hints />
      <Suspense>{isMenuOpen && <SideMenu key={pathname} onClose={() => setMenuOpen(false)} />}</Suspense>
    </div>
  )
}

/** What the page on screen is called. */
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
          </span>
        </div>
      }
    >
      <WhoButton />
    </Menu>
  )
}

/** Names who is signed in, and from where. */
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
