import { capsOf } from '../keys/keys.ts'
import { foot, hint, hintList } from '../screens/frame/Frame.css.ts'
import { useTexts } from '../state/texts.ts'
import { Keycap } from '../ui/Keycap.tsx'
import { hints } from './TerminalPage.css.ts'

/** Keys worth a hint, in the order of the strip. */
const shown = ['terminalPalette', 'copySelection', 'paste', 'search', 'leave'] as const

/** The strip at the foot: the few keys that do not go to the shell (behaviour W-15). */
export function TerminalHints() {
  const { t } = useTexts()
  return (
    <footer className={hints} role="contentinfo" aria-label={t('ui.frame.hints')}>
      <span className={hintList}>
        {shown.map((command) => (
          <span key={command} className={hint}>
            <Keycap caps={capsOf(command)} />
            {t(`ui.keys.${command}`)}
          </span>
        ))}
      </span>
      <span className={foot}>{t('ui.terminal.rest')}</span>
    </footer>
  )
}
