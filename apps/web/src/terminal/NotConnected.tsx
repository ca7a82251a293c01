import type { AnyRow } from '@qd/core/define'
import { live } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button } from '../ui/Button.tsx'
import * as css from './TerminalPage.css.ts'

/** A server without a connection: when it was last seen, and a shell as soon as it is back (behaviour W-14). */
export function NotConnected({ row, onRetry }: { row: AnyRow | undefined; onRetry: () => void }) {
  const { t, format } = useTexts()
  const seen = row?.last_seen_at
  return (
    <div className={css.gone} role="alert">
      <p className={css.goneText}>{t('ui.terminal.gone')}</p>
      <p className={css.goneNote}>
        {typeof seen === 'string' && `${t('ui.terminal.lastSeen', { time: format.since(seen, live.now()) })} `}
        {t('ui.terminal.waits')}
      </p>
      <Button autoFocus onPress={onRetry}>
        {t('ui.live.tryNow')}
      </Button>
    </div>
  )
}
