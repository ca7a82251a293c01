import { breadcrumb, shownName } from '@qd/core/files'
import { Fragment } from 'react'
import { useTexts } from '../base/state/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import * as css from './FilePanel.css.ts'

/** The path: the root, the last three folders, and the earlier ones in a menu; each leads there (behaviour W-20). */
export function Crumbs({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const { t } = useTexts()
  const { root, earlier, last } = breadcrumb(path)
  const above = [root, ...last.slice(0, -1)]
  const here = last.at(-1)
  return (
    <nav className={css.crumbs} aria-label={t('ui.files.path')}>
      {(here ? above : []).map((crumb, index) => (
        <Fragment key={crumb.path}>
          <button type="button" className={css.crumb} title={crumb.path} onClick={() => onGo(crumb.path)}>
            <bdi>{shownName(crumb.name)}</bdi>
          </button>
          <Separator />
          {index === 0 && earlier.length > 0 && (
            <>
              <Menu
                label={t('ui.files.earlier')}
                entries={earlier.map(({ name, path: to }) => ({ id: to, label: shownName(name), run: () => onGo(to) }))}
              >
                <IconButton label={t('ui.files.earlier')} icon="ellipsis" size="small" />
              </Menu>
              <Separator />
            </>
          )}
        </Fragment>
      ))}
      <b className={css.here} aria-current="page" title={path}>
        <bdi>{shownName(here?.name ?? root.name)}</bdi>
      </b>
    </nav>
  )
}

const Separator = () => (
  <span className={css.separator} aria-hidden="true">
    {'›'}
  </span>
)
