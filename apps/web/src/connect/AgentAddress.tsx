import { allowed } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { createForm } from '@qd/core/view'
import { useState } from 'react'
import { capsOf } from '../keys/keys.ts'
import { notifyUnexpected } from '../perform/perform.ts'
import { navigate } from '../places/navigate.ts'
import { runner } from '../state/runner.ts'
import { records, session, view } from '../state/stores.ts'
import { useTexts } from '../state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { row } from '../ui/Page.css.ts'

/** Where this page came from, as an agent would be told: host and port. */
function addressHere(): string {
  const { host, port, protocol } = location
  return port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
}

/** Offers the address of this page as the address that agents connect to, if none is set yet. `onTaken` runs when it is stored. */
export function AgentAddress({ onTaken }: { onTaken: () => void }) {
  const { t, translator } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const address = addressHere()
  const viewer = session.viewer()
  const may = allowed(viewer, { audience: setting.audience.write, scope: setting.scopes.write })
  const take = async () => {
    const [known] = records.peekAll('setting')
    if (!known || isBusy) return
    setBusy(true)
    const form = createForm({ resource: setting, mode: 'edit', row: { ...known }, view, viewer, translator })
    form.set('install_host', address)
    form.set('tls', location.protocol === 'https:')
    const submitted = form.submit()
    const input = submitted.ok ? submitted.input : form.sent()
    const report = await runner.save({ resource: setting, mode: 'edit', base: form.base, input })
    setBusy(false)
    if (report.kind === 'failed') notifyUnexpected(report.error)
    else onTaken()
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
