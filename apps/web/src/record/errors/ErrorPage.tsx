import { AppError, toAppError } from '@qd/core/errors'
import { errorText, type Translator } from '@qd/core/i18n'
import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react'
import { copy } from '../../act/perform/lazy-perform.ts'
import { arrive } from '../../act/places/arrival.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { well } from '../../ui/Note.css.ts'
import { Note } from '../../ui/Note.tsx'
import * as css from './ErrorPage.css.ts'

function reportOf(thrown: unknown, translator: Translator): string {
  const error = toAppError(thrown)
  if (error.code === 'internal' && !(thrown instanceof AppError))
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  const { title, details, hint } = errorText(translator, error)
  return [title, ...details, hint].filter(Boolean).join('\n')
}

export function ErrorPage({
  thrown,
  onRetry,
  isFramed = false,
}: {
  thrown: unknown
  onRetry: () => void
  isFramed?: boolean
}) {
  const { t, translator } = useTexts()
  const report = reportOf(thrown, translator)
  // Keys held for the page that failed go here.
  useEffect(() => arrive(location.pathname), [])
  const Around = isFramed ? 'section' : 'main'
  return (
    <Around className={isFramed ? css.page : `${css.page} ${css.whole}`}>
      <div className={css.box}>
        <span className={css.icon}>
          <Icon name="circle-alert" size={20} />
        </span>
        <h1 className={css.title}>{t('ui.error.oops')}</h1>
        <p className={css.text}>{t('ui.error.sorry')}</p>
        <div className={well}>{report}</div>
        <div className={css.row}>
          <Button tone="primary" onPress={() => location.assign('/dashboard')}>
            {t('ui.error.back')}
          </Button>
          <Button onPress={onRetry}>{t('ui.list.retry')}</Button>
          <span className={css.grow} />
          <Button tone="ghost" icon="copy" onPress={() => void copy(`${location.pathname}\n${report}`)}>
            {t('ui.error.report')}
          </Button>
        </div>
      </div>
    </Around>
  )
}

/** Replaces the broken part; the rest of the form can be saved, and this part retried. */
function BrokenPart({ thrown, onRetry }: { thrown: unknown; onRetry: () => void }) {
  const { t, translator } = useTexts()
  return (
    <Note tone="bad" title={t('ui.error.part')}>
      <p className={css.text}>{t('ui.error.partText')}</p>
      <div className={well}>{reportOf(thrown, translator)}</div>
      <Button size="small" onPress={onRetry}>
        {t('ui.list.retry')}
      </Button>
    </Note>
  )
}

/**
 * Shows an error in place of what broke: a whole page, a `page` inside the frame, or a `part` of a form, whose other
 * fields keep what was typed.
 */
export class ErrorBoundary extends Component<
  { children: ReactNode; around?: 'all' | 'page' | 'part' },
  { thrown: unknown; isBroken: boolean }
> {
  override state = { thrown: null as unknown, isBroken: false }
  static getDerivedStateFromError(thrown: unknown) {
    return { thrown, isBroken: true }
  }
  override componentDidCatch(thrown: unknown, info: ErrorInfo) {
    console.error(thrown, info.componentStack)
  }
  override render() {
    if (!this.state.isBroken) return this.props.children
    const failure = { thrown: this.state.thrown, onRetry: () => this.setState({ thrown: null, isBroken: false }) }
    return this.props.around === 'part' ? (
      <BrokenPart {...failure} />
    ) : (
      <ErrorPage {...failure} isFramed={this.props.around === 'page'} />
    )
  }
}
