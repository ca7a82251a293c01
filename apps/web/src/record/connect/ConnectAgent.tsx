import { useValue } from '@legendapp/state/react'
import { allowed, fieldKey, textKey } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { server, setting } from '@qd/core/resources'
import { useEffect, useState } from 'react'
import { actionItems } from '../../act/action-items/action-items.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { perform } from '../../act/perform/perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { useCopied } from '../../base/hooks/use-copied.ts'
import { actionContext, records, session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/inputs/Toggle.tsx'
import { well } from '../../ui/Note.css.ts'
import { Note } from '../../ui/Note.tsx'
import { grow, muted, row, waiting } from '../../ui/Page.css.ts'
import { mark } from '../../ui/StateMark.css.ts'
import { addressHere } from './name-here.ts'
import { saveSettings } from './save-settings.ts'

const hidden = '••••••••••••••••'
const install = server.actions.install
const args = install.args!
const system = args.fields.os!
const systems = system.kind === 'choice' ? Object.keys(system.options) : []

/** Shown while there are no servers: the command that brings the first one, and that this page waits for it. */
export function ConnectAgent() {
  const texts = useTexts()
  const { t, say, translator } = texts
  const [os, setOs] = useState(String(args.initial.os))
  const [isCopied, setCopied] = useCopied()
  const setting = useValue(() => records.row$('setting', 1).get())
  // Each answer holds a code of its own, so it is asked for once the settings are known, and again only when its address is another.
  const command = useCommand(os, setting && `${setting.install_host} ${setting.dashboard_host} ${setting.tls}`)
  const item = actionItems(server, [], texts).find(({ action }) => action === install)
  const isWithoutAddress = command instanceof Error && command.code === 'installHostRequired'
  const failed = command instanceof Error ? errorText(translator, command) : null
  const copy = async () => {
    const report = await perform(install, [], { args: { ...args.initial, os } })
    setCopied(report.kind === 'ok')
  }
  return (
    <>
      <Segmented
        label={say(fieldKey(args, 'os'))}
        options={systems.map((value) => ({ value, label: say(textKey.option(args.name, 'os', value)) }))}
        value={os}
        onChange={setOs}
      />
      {isWithoutAddress ? (
        <AgentAddress />
      ) : failed ? (
        <Note tone="warn" title={failed.title}>
          {[...failed.details, failed.hint].filter(Boolean).join(' ')}
        </Note>
      ) : (
        <div className={well}>{typeof command === 'string' ? hideCode(command) : hidden}</div>
      )}
      {item && !isWithoutAddress && (
        <div className={row}>
          <Button
            tone="primary"
            icon={isCopied ? 'check' : 'copy'}
            reason={item.reason ?? failed?.title ?? null}
            onPress={() => (isCopied ? undefined : void copy())}
          >
            {t('ui.empty.copyCommand')}
          </Button>
          {failed && (
            <Button icon="settings" caps={capsOf('go:setting')} onPress={() => navigate('/dashboard/settings')}>
              {t('ui.frame.settings')}
            </Button>
          )}
        </div>
      )}
      <div className={waiting}>
        <span className={mark({ shape: 'turning' })} />
        {t('ui.empty.waiting')}
        <span className={grow} />
        <span className={muted}>
          {t('ui.empty.listening', { address: String(setting?.install_host || location.host) })}
        </span>
      </div>
    </>
  )
}

const hideCode = (command: string) => command.replace(/(?<=QD_CODE="?)\w+/, hidden)

/** The command as the server writes it, or why it cannot; null until it has answered. */
function useCommand(os: string, address: string | undefined): string | AppError | null {
  const [command, setCommand] = useState<string | AppError | null>(null)
  useEffect(() => {
    if (address === undefined) return
    let isAsked = true
    install.run(actionContext(), [], { ...args.initial, os }).then(
      (outcome) => isAsked && setCommand(outcome.kind === 'copy' ? outcome.text : null),
      (thrown) => isAsked && setCommand(toAppError(thrown)),
    )
    return () => {
      isAsked = false
    }
  }, [os, address])
  return command
}

/** Offers the address of this page as the address that agents connect to, if none is set yet. */
function AgentAddress() {
  const { t, translator } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const address = addressHere()
  const may = allowed(session.viewer(), setting.actions.edit)
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
