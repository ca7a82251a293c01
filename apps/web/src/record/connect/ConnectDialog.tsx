import { actionKey, titleOf, type Values } from '@qd/core/define'
import { recordPath } from '@qd/core/view'
import { useEffect } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { setLeaving } from '../../base/state/form-leaving.ts'
import type { PendingQuestion } from '../../base/state/overlays.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import * as css from '../form/Form.css.ts'
import { Connect, useConnecting } from './Connect.tsx'

/** A command that brings a record, and the wait for it. Closing ends only the wait. */
export function ConnectDialog({ asked, start }: { asked: PendingQuestion; start: Values }) {
  const { t, say, translator } = useTexts()
  const { action, resource, rows } = asked.question
  const connecting = useConnecting(action, rows, start)
  const { form, arrivals } = connecting
  const close = () => asked.answer(null)
  const copyLine = () => void copy(form.cliLine())
  useEffect(() => onCommands({ copyCli: copyLine }))
  useEffect(
    () =>
      setLeaving(async () => {
        asked.answer(null)
        return true
      }),
    [asked],
  )
  const own = `ui.form.titles.${resource.name}.${action.name}`
  const open = (id: number) => {
    close()
    navigate(recordPath(resource, id))
  }
  return (
    <Dialog
      title={
        <span className={css.title}>
          {translator.has(own) ? say(own) : say(actionKey(action))}
          {rows[0] && <span className={css.which}>{`${titleOf(resource, rows[0])} · #${rows[0].id}`}</span>}
        </span>
      }
      width={520}
      phone="fill"
      closeLabel={t('ui.frame.close')}
      onClose={close}
      footer={
        <>
          <span className={css.onDesktop}>
            <Button tone="ghost" icon="terminal" onPress={copyLine} caps={capsOf('copyCli')}>
              {t('ui.keys.copyCli')}
            </Button>
          </span>
          <span className={css.grow} />
          <span className={css.buttons}>
            {arrivals.slice(0, 3).map((row) => (
              <Button key={row.id} onPress={() => open(row.id)}>
                {t('ui.connect.open', { name: titleOf(resource, row) })}
              </Button>
            ))}
            <Button tone={arrivals.length > 0 ? 'primary' : 'plain'} onPress={close} caps={capsOf('escape')}>
              {t('ui.frame.close')}
            </Button>
          </span>
        </>
      }
    >
      <Connect connecting={connecting} caps={capsOf('confirm')} />
    </Dialog>
  )
}
