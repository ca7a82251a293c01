import { pagesShown } from '@qd/core/view'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { navigate } from '../../act/places/navigate.ts'
import { useTexts } from '../../base/state/texts.ts'
import * as css from './ResourceList.css.ts'
import { type Part, pageAddress } from './use-part.ts'

const gap = '…'

/** The pages of a list below it: each a link, so that Back works. Nothing where all of it is on one page. */
export function Pager({ part: { page, size }, matched }: { part: Part; matched: number }) {
  const { t } = useTexts()
  const count = Math.max(1, Math.ceil(matched / size))
  useEffect(() => {
    // What was on it is gone.
    if (page > count && matched > 0) navigate(pageAddress(count), { replace: true })
  }, [page, count, matched])
  if (count === 1) return null
  const step = (to: number, label: string) =>
    to < 1 || to > count ? (
      <span className={css.step} aria-hidden>
        {label}
      </span>
    ) : (
      <Link className={css.page} to={pageAddress(to)}>
        {label}
      </Link>
    )
  return (
    <nav className={css.pager} aria-label={t('ui.pages.label')}>
      {step(page - 1, t('ui.pages.previous'))}
      {pagesShown(page, count).map((one, index) =>
        one === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing but its place
          <span key={`gap ${index}`} className={css.step} aria-hidden>
            {gap}
          </span>
        ) : (
          <Link key={one} className={css.page} to={pageAddress(one)} aria-current={one === page ? 'page' : undefined}>
            {one}
          </Link>
        ),
      )}
      {step(page + 1, t('ui.pages.next'))}
      <span className={css.total}>{t('ui.pages.total', { total: matched })}</span>
    </nav>
  )
}
