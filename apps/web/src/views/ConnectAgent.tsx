import { useValue } from '@legendapp/state/react'
import { copy } from '../perform.ts'
import { records, session } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import { well } from '../ui/Note.css.ts'
import { mark } from '../ui/StateMark.css.ts'
import { grow, muted, row, waiting } from './ResourceList.css.ts'

const hidden = '••••••••••••••••'

/** Shown while there are no servers: the line that starts an agent, and that this page waits for it. */
export function ConnectAgent() {
  const { t } = useTexts()
  const setting = useValue(records.row$('setting', 1))
  const secret = useValue(() => String(session.state$.profile.get()?.agent_secret ?? ''))
  const address = String(setting?.install_host || location.host)
  const line = (shown: string) =>
    `node apps/agent/dist/main.js --server ${address} --secret ${shown}${setting?.tls ? ' --tls' : ''}`
  return (
    <>
      <div className={well}>{line(hidden)}</div>
      <div className={row}>
        <Button
          icon="copy"
          onPress={() => void copy(line(secret), line(hidden))}
          reason={secret === '' ? t('ui.empty.noSecret') : null}
        >
          {t('ui.empty.copyCommand')}
        </Button>
      </div>
      <div className={waiting}>
        <span className={mark({ shape: 'turning' })} />
        {t('ui.empty.waiting')}
        <span className={grow} />
        <span className={muted}>{t('ui.empty.listening', { address })}</span>
      </div>
    </>
  )
}
