import { allowed } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { useState } from 'react'
import { capsOf } from '../../act/keys/keys.ts'
import { navigate } from '../../act/places/navigate.ts'
import { session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { row } from '../../ui/Page.css.ts'
import { addressHere } from './name-here.ts'
import { saveSettings } from './save-settings.ts'

/** Offers the address of this page as the address that agents connect to, if none is set yet. */
export function AgentAddress() {
  const { t, translator } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const address = addressHere()
  const may = allowed(session.viewer(), setting.actions.edit!)
  const take = async () => {
    if (isBusy) return
    setBusy(true)
    await saveSettings({ install_host: address, tls: location.protocol === 'https:' }, translator)
    setBusy(false)
  }
  return (
    <Note tone="plain" title={t('ui.empty.address', { address })}>
      <div className={row}>
        {may && (
          <Button tone="primary" isPending={isBusy} onPress={() => void take()}>
            {t('ui.empty.takeAddress')}
          </Button>
        )}
        <Button icon="settings" caps={capsOf('go:setting')} onPress={() => navigate('/dashboard/settings')}>
          {t('ui.empty.otherAddress')}
        </Button>
      </div>
    </Note>
  )
}
