import { useState } from 'react'
import { navigate } from '../../act/places/navigate.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { row } from '../../ui/Page.css.ts'
import { addressHere } from './name-here.ts'
import { saveSettings } from './save-settings.ts'

/** Asks an administrator whether this page’s name is the console’s. `onLater` postpones the question. */
export function NameQuestion({ name, onLater }: { name: string; onLater: () => void }) {
  const { t, translator } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    if (isBusy) return
    setBusy(true)
    const [known] = records.peekAll('setting')
    // Without another address, agents use this one.
    const agents = known?.install_host ? {} : { install_host: addressHere(), tls: location.protocol === 'https:' }
    await saveSettings({ dashboard_host: location.host, ...agents }, translator)
    setBusy(false)
  }
  return (
    <Note tone="plain" title={t('ui.name.title', { name })}>
      {t('ui.name.text')}
      <div className={row}>
        <Button tone="primary" isPending={isBusy} onPress={() => void confirm()}>
          {t('ui.name.confirm')}
        </Button>
        <Button icon="settings" onPress={() => navigate('/dashboard/settings')}>
          {t('ui.name.other')}
        </Button>
        <Button onPress={onLater}>{t('ui.name.later')}</Button>
      </div>
    </Note>
  )
}
