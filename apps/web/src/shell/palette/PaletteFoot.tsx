import { actionLine, type SearchEntry } from '@qd/core/actions'
import { resourceByName } from '@qd/core/resources'
import { capsOf, capsOfChord } from '../../act/keys/keys.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Keycap } from '../../ui/Keycap.tsx'
import * as css from './Palette.css.ts'

/** The CLI line that does what an entry does; null if there is none. */
export function cliOf(entry: SearchEntry): string | null {
  const { goal, cli, reason } = entry
  if (goal.kind !== 'record') return reason ? null : cli
  const open = resourceByName(goal.resource)?.actions.open
  const row = records.peek(goal.resource, goal.id)
  return open && row ? actionLine(open, [row], view) : null
}

/** The chosen line as the CLI says it, and the keys that do something with it. */
export function PaletteFoot({ entry, isNested }: { entry: SearchEntry | null; isNested: boolean }) {
  const { t } = useTexts()
  const cli = entry && cliOf(entry)
  const isRecord = entry?.goal.kind === 'record'
  const enter = isRecord || entry?.goal.kind === 'command' ? t('ui.palette.open') : t('ui.palette.run')
  const hints = [
    ...(entry && !entry.reason ? [{ caps: capsOfChord('Enter'), text: enter }] : []),
    ...(isRecord ? [{ caps: capsOfChord('Tab'), text: t('ui.palette.actions') }] : []),
    ...(cli ? [{ caps: capsOf('copyCli'), text: t('ui.palette.copyCli') }] : []),
    { caps: capsOf('escape'), text: isNested ? t('ui.palette.back') : t('ui.palette.close') },
  ]
  return (
    <div className={css.foot}>
      {cli ? (
        <code className={css.cli} title={cli}>
          {cli}
        </code>
      ) : (
        <span className={css.grow} />
      )}
      {hints.map(({ caps, text }) => (
        <span key={text} className={css.footHint}>
          <Keycap caps={caps} />
          {text}
        </span>
      ))}
    </div>
  )
}
