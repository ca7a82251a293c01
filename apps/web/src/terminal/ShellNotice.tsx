import { errorText } from '@qd/core/i18n'
import type { TerminalState } from '@qd/core/shells'
import { useSeconds } from '../base/hooks/use-seconds.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import * as css from './TerminalPage.css.ts'
import { toneOf } from './tones.ts'

/** Why there is no shell now, and the way to one; the end of the shell itself has its own dialog (behaviour W-10). */
export function ShellNotice({ state, onGo }: { state: TerminalState; onGo: () => void }) {
  const { t, format, translator } = useTexts()
  const now = useSeconds(state.status === 'lost')
  if (state.status === 'opening' || state.status === 'live') return null
  if (state.status === 'ended' && state.reason === 'ended') return null
  const words = () => {
    if (state.status === 'ended') return [t('ui.terminal.state.ended'), t(`ui.terminal.end.${state.reason}`)]
    if (state.status === 'refused') {
      const { title, details, hint } = errorText(translator, state.error)
      return [t('ui.terminal.refused'), [title, ...details, hint].filter(Boolean).join(' · ')]
    }
    const wait = Math.max(0, Math.ceil((state.retryAt - now) / 1000))
    const next = wait === 0 ? t('ui.live.trying') : t('ui.live.again', { span: format.duration(wait) })
    return [t('ui.live.lost'), next]
  }
  const [title, text] = words()
  return (
    <div className={css.notice} role="status">
      <StateMark tone={toneOf[state.status]} label="" decorative />
      <b>{title}</b>
      <span className={css.noticeText}>{text}</span>
      <Button size="small" caps={['↵']} onPress={onGo}>
        {t(state.status === 'lost' ? 'ui.live.tryNow' : 'ui.terminal.newShell')}
      </Button>
    </div>
  )
}
