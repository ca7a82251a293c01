import { foot, hint, hintList } from '../screens/Frame.css.ts'
import { useTexts } from '../texts.ts'
import { Keycap } from '../ui/Keycap.tsx'
import { terminalCaps, terminalCommands } from './caps.ts'
import { hints } from './TerminalPage.css.ts'

/** The strip at the foot: the few keys that do not go to the shell (behaviour W-15). */
export function TerminalHints() {
  const { t } = useTexts()
  return (
    <footer className={hints} role="contentinfo" aria-label={t('ui.frame.hints')}>
      <span className={hintList}>
        {terminalCommands.map((command) => (
          <span key={command} className={hint}>
            <Keycap caps={terminalCaps(command)} />
            {t(`ui.keys.${command}`)}
          </span>
        ))}
      </span>
      <span className={foot}>{t('ui.terminal.rest')}</span>
    </footer>
  )
}
