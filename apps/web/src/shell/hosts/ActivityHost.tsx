import { useValue } from '@legendapp/state/react'
import { sayText } from '@qd/core/actions'
import { errorText, firstNames } from '@qd/core/i18n'
import type { Activity } from '@qd/core/store'
import { copy } from '../../act/perform/perform.ts'
import { overlays$ } from '../../base/state/overlays.ts'
import { runner } from '../../base/state/runner.ts'
import { useTexts } from '../../base/state/texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import * as css from './ActivityHost.css.ts'

export function ActivityHost() {
  const isOpen = useValue(overlays$.activity)
  return isOpen ? <ActivityList /> : null
}

function ActivityList() {
  const { t } = useTexts()
  const all = useValue(runner.activity$)
  return (
    <Dialog
      title={t('ui.commands.activity')}
      width={520}
      phone="fill"
      closeLabel={t('ui.frame.close')}
      onClose={() => overlays$.activity.set(false)}
    >
      {all.length === 0 ? (
        <p className={css.none}>{t('ui.activity.none')}</p>
      ) : (
        <ul className={css.list}>
          {all.map((activity) => (
            <Line key={activity.id} activity={activity} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

const tones = { running: 'accent', ok: 'ok', failed: 'bad' } as const

function Line({ activity: { at, label, names, cli, status, error } }: { activity: Activity }) {
  const { t, translator, format } = useTexts()
  return (
    <li className={css.row}>
      {status === 'ok' ? (
        <Icon name="check" size={14} />
      ) : (
        <StateMark tone={tones[status]} label={t(`ui.activity.${status}`)} />
      )}
      <span className={css.what}>
        {sayText(translator, label)} <span className={css.names}>{firstNames(names, 3, { translator, format })}</span>
      </span>
      <span className={css.when}>{format.clock(at)}</span>
      <code className={css.cli} title={cli}>
        {cli}
      </code>
      <IconButton size="small" icon="copy" label={t('ui.keys.copyCli')} onPress={() => void copy(cli)} />
      {error && <span className={css.why}>{errorText(translator, error).title}</span>}
    </li>
  )
}
