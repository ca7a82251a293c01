import { useValue } from '@legendapp/state/react'
import { type Action, type AnyRow, actionOf, allowed, type Resource, titleOf, type Values } from '@qd/core/define'
import { AppError, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { resourceByName, setting } from '@qd/core/resources'
import { type Arrival, createArgumentsForm, createArrival, type FormModel } from '@qd/core/view'
import { useEffect, useReducer, useRef, useState } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { copy } from '../../act/perform/perform.ts'
import { openSetting, settingPath } from '../../act/places/setting-link.ts'
import { useCopied } from '../../base/hooks/use-timers.ts'
import { ports } from '../../base/ports.ts'
import { actionContext, records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { well } from '../../ui/Note.css.ts'
import { Note } from '../../ui/Note.tsx'
import { grow, muted, row, waiting } from '../../ui/Page.css.ts'
import { mark } from '../../ui/StateMark.css.ts'
import { SettingButton } from '../errors/SettingButton.tsx'
import { connect } from '../form/Form.css.ts'
import { FormFields } from '../form/FormFields.tsx'
import { addressHere, isLoopback } from './name-here.ts'
import { saveSettings } from './save-settings.ts'

const hidden = '••••••••••••••••'
const hideSecrets = (command: string) => command.replace(/(?<=(?:QD_CODE|NZ_CLIENT_SECRET)=["']?)[\w.+/=@:-]+/, hidden)

export interface Connecting {
  form: FormModel
  edit(change: () => void): void
  /** Null while loading. */
  command: string | AppError | null
  arrivals: readonly AnyRow[]
  resource: Resource
}

export function useConnecting(action: Action, given: readonly AnyRow[], start: Values): Connecting {
  const [rows] = useState(given)
  const { translator } = useTexts()
  const resource = resourceByName(action.resource)!
  const [form] = useState(() =>
    createArgumentsForm({
      ...{ action, args: action.args!, resource, rows, start },
      ...{ view, viewer: session.viewer(), translator },
    }),
  )
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const edit = (change: () => void) => {
    change()
    draw()
  }
  return { form, edit, command: useCommand(action, rows, form), arrivals: useArrivals(action, rows), resource }
}

/** Debounce: each answer uses up a code. */
const settleMs = 400

/** Each answer holds a code of its own, so it is requested once the settings are known, and again only if arguments or address change. */
function useCommand(action: Action, rows: readonly AnyRow[], form: FormModel): string | AppError | null {
  const [command, setCommand] = useState<string | AppError | null>(null)
  const address = useValue(() => {
    const known = records.row$('setting', 1).get()
    return known && `${known.install_host} ${known.dashboard_host} ${known.tls}`
  })
  const isFirst = useRef(true)
  const isReady = form.problems().length === 0
  const wanted = address !== undefined && isReady ? JSON.stringify(form.sent()) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address decides what the server answers
  useEffect(() => {
    setCommand(null)
    if (wanted === null) return
    let isAsked = true
    const askFor = () => {
      isFirst.current = false
      action.run(actionContext(), rows, JSON.parse(wanted)).then(
        (outcome) => isAsked && setCommand(outcome.kind === 'copy' ? outcome.text : new AppError('badAnswer')),
        (thrown) => isAsked && setCommand(toAppError(thrown)),
      )
    }
    const cancel = ports.setTimer(askFor, isFirst.current ? 0 : settleMs)
    return () => {
      cancel()
      isAsked = false
    }
  }, [action, rows, wanted, address])
  return command
}

function useArrivals(action: Action, rows: readonly AnyRow[]): readonly AnyRow[] {
  const name = action.resource
  useEffect(() => records.watch(name), [name])
  const isLoaded = useValue(() => records.list$(name).status.get() === 'ready')
  const [arrival, setArrival] = useState<Arrival | null>(null)
  useEffect(() => {
    if (!isLoaded) return
    const resource = resourceByName(name)!
    setArrival((before: Arrival | null) => before ?? createArrival(action, { resource, rows, view }))
  }, [action, rows, name, isLoaded])
  return useValue(() => arrival?.(view) ?? [])
}

/** The command for a host, its options, and whether the host has connected. In a dialog (`caps`), Ctrl+Enter copies the command. */
export function Connect({
  connecting: { form, edit, command, arrivals, resource },
  caps,
}: {
  connecting: Connecting
  caps?: readonly string[]
}) {
  const { t, format } = useTexts()
  const root = useRef<HTMLDivElement>(null)
  const [isCopied, setCopied] = useCopied()
  const known = useValue(() => records.row$('setting', 1).get())
  const error = command instanceof AppError ? command : null
  const copyCommand = () => typeof command === 'string' && void copy(command, t('ui.toast.command')).then(setCopied)
  useEffect(() => onCommands({ confirm: copyCommand }))
  const address = String(known?.install_host || known?.dashboard_host || location.host)
  return (
    <div className={connect}>
      <FormFields state={{ form, edit, root }} />
      {error?.code === 'installHostRequired' ? (
        <AgentAddress />
      ) : error ? (
        <Failure error={error} />
      ) : (
        <>
          <div className={well}>{typeof command === 'string' ? hideSecrets(command) : hidden}</div>
          <div className={row}>
            <Button
              tone="primary"
              icon={isCopied ? 'check' : 'copy'}
              isPending={command === null}
              onPress={copyCommand}
              caps={caps}
            >
              {t('ui.connect.copyCommand')}
            </Button>
          </div>
        </>
      )}
      {!error && isLoopback(address) && <Note tone="plain">{t('ui.connect.onlyHere', { address })}</Note>}
      <div className={waiting} role="status">
        {arrivals.length > 0 ? (
          <>
            <span className={mark({ shape: 'disc' })} />
            <b>{t('ui.connect.connected', { names: format.list(arrivals.map((one) => titleOf(resource, one))) })}</b>
          </>
        ) : (
          <>
            <span className={mark({ shape: 'turning' })} />
            {t('ui.connect.waiting')}
          </>
        )}
        <span className={grow} />
        <span className={muted}>{t('ui.connect.listening', { address })}</span>
      </div>
    </div>
  )
}

function Failure({ error }: { error: AppError }) {
  const { title, details, hint } = errorText(useTexts().translator, error)
  return (
    <Note tone="warn" title={title}>
      {[...details, hint].filter(Boolean).join(' ')}
      <SettingButton error={error} />
    </Note>
  )
}

function AgentAddress() {
  const { t, translator } = useTexts()
  const [isBusy, setBusy] = useState(false)
  const address = addressHere()
  if (!allowed(session.viewer(), actionOf(setting, 'edit'))) return <Note tone="plain">{t('ui.connect.askAdmin')}</Note>
  const take = async () => {
    if (isBusy) return
    setBusy(true)
    await saveSettings({ install_host: address, tls: location.protocol === 'https:' }, translator)
    setBusy(false)
  }
  return (
    <Note tone="plain" title={t('ui.connect.address', { address })}>
      <div className={row}>
        <Button tone="primary" isPending={isBusy} onPress={() => void take()}>
          {t('ui.connect.takeAddress')}
        </Button>
        <Button icon="settings" onPress={() => void openSetting(settingPath('install_host'))}>
          {t('ui.connect.otherAddress')}
        </Button>
      </div>
    </Note>
  )
}
