import { useEffect, useState } from 'react'
import { capsOf } from '../act/keys/keys.ts'
import { useTexts } from '../base/state/texts.ts'
import { foot, hint, hintList } from '../ui/HintStrip.css.ts'
import { Keycap } from '../ui/Keycap.tsx'
import { hints } from './TerminalPage.css.ts'

/** Keys worth a hint, in the order of the strip. */
const shown = ['terminalPalette', 'terminalFiles', 'copySelection', 'paste', 'search', 'leave'] as const

const inFiles = ['terminalFiles', 'openEntry', 'look', 'download', 'upload', 'filter', 'jump', 'goToPath'] as const

/** The strip at the foot: the few keys that do not go to the shell (behaviour W-15); those of the file manager while the keyboard is there. */
export function TerminalHints() {
  const { t } = useTexts()
  const isInFiles = useIsInFiles()
  return (
    <footer className={hints} role="contentinfo" aria-label={t('ui.frame.hints')}>
      <span className={hintList}>
        {(isInFiles ? inFiles : shown).map((command) => (
          <span key={command} className={hint}>
            <Keycap caps={capsOf(command)} />
            {t(`ui.keys.${command}`)}
          </span>
        ))}
      </span>
      {!isInFiles && <span className={foot}>{t('ui.terminal.rest')}</span>}
    </footer>
  )
}

/** Whether the focus is in a file manager. One that has just closed has none. */
function useIsInFiles(): boolean {
  const [is, setIs] = useState(false)
  useEffect(() => {
    const look = () => setIs(document.activeElement?.closest('[data-files]') != null)
    look()
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
  return is
}
