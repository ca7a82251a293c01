import { textKey } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { Link, useLocation } from 'react-router-dom'
import { capsOf } from '../../../act/keys/keys.ts'
import { signOut } from '../../../act/perform/lazy-perform.ts'
import { navigate } from '../../../act/places/navigate.ts'
import { resourceAt, tabLabel, useLists, useTabs } from '../../../act/places/navigation.ts'
import { useSite, useSiteLine, useWho } from '../../../base/state/site.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Logo } from '../../../ui/drawings/Logo.tsx'
import { Keycap } from '../../../ui/Keycap.tsx'
import { scrim } from '../../../ui/overlays/Dialog.css.ts'
import { Avatar } from './Avatar.tsx'
import { Clock } from './Clock.tsx'
import { menuWho, small } from './Frame.css.ts'
import { ThemeMenu } from './FrameMenus.tsx'
import * as css from './SideMenu.css.ts'

/** The tabs below 890 px, then settings and public page, with greeting, clock and account at the bottom. */
export function SideMenu({ onClose }: { onClose: () => void }) {
  const texts = useTexts()
  const { t, say } = texts
  const site = useSite()
  const tabs = useTabs()
  const lists = useLists('menu')
  const current = resourceAt(useLocation().pathname)
  const { name, address } = useWho()
  const line = useSiteLine()
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => open || onClose()} className={scrim({ place: 'left' })}>
      <Modal>
        <Dialog className={css.panel} aria-label={t('ui.frame.menu')}>
          <header className={css.head}>
            <Logo />
            <span className={css.name}>{site.name}</span>
            <IconButton label={t('ui.frame.close')} icon="x" onPress={onClose} />
          </header>
          <nav className={css.nav} aria-label={t('ui.frame.main')}>
            {tabs.map((tab) => (
              <Link
                key={firstItem(tab.members).name}
                to={firstItem(tab.members).path}
                className={css.item}
                onClick={onClose}
                aria-current={current && tab.members.includes(current) ? 'page' : undefined}
              >
                {tabLabel(tab, texts)}
                <Keycap caps={capsOf(`go:${firstItem(tab.members).name}`)} />
              </Link>
            ))}
            <hr className={css.rule} />
            {lists.map(({ name, path }) => (
              <Link key={name} to={path} className={css.item} onClick={onClose}>
                {say(textKey.many(name))}
              </Link>
            ))}
            <Link to="/dashboard/settings" className={css.item} onClick={onClose}>
              {t('ui.frame.settings')}
              <Keycap caps={capsOf('go:setting')} />
            </Link>
            <a href="/" className={css.item}>
              {t('ui.frame.publicPage')}
              <Keycap caps={capsOf('public')} />
            </a>
          </nav>
          <footer className={css.foot}>
            <div className={css.who}>
              <Avatar size={32} />
              <span className={menuWho}>
                <b>{t('ui.frame.hello', { name })}</b>
                <span className={small}>{address && t('ui.frame.from', { address })}</span>
              </span>
              <Clock className={small} />
              <ThemeMenu />
            </div>
            <div className={css.pair}>
              <Button
                onPress={() => {
                  onClose()
                  navigate('/dashboard/profile')
                }}
              >
                {say(textKey.one('account'))}
              </Button>
              <Button onPress={() => void signOut()}>{say(textKey.action('account', 'sign-out'))}</Button>
            </div>
            <p className={css.about}>{line}</p>
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
