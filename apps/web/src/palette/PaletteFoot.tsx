import type { SearchEntry } from '@qd/core/actions'
import { chordText } from '@qd/core/actions'
import { capsOf } from '../keys.ts'
import { platform } from '../ports.ts'
import { useTexts } from '../texts.ts'
import { Keycap } from '../ui/Keycap.tsx'
import * as css from './Palette.css.ts'

/** The chosen line as the CLI says it, and the keys that do something with it. */
export function PaletteFoot({ entry, isNested }: { entry: SearchEntry | null; isNested: boolean }) {
  const { t } = useTexts()
  const isRecord = entry?.goal.kind === 'record'
  const enter = isRecord || entry?.goal.kind === 'command' ? t('ui.palette.open') : t('ui.palette.run')
  const hints = [
    ...(entry && !entry.reason ? [{ caps: chordText('Enter', platform), text: enter }] : []),
    ...(isRecord ? [{ caps: chordText('Tab', platform), text: t('ui.palette.actions') }] : []),
    ...(entry?.cli ? [{ caps: capsOf('copyCli'), text: t('ui.palette.copyCli') }] : []),
    { caps: capsOf('escape'), text: isNested ? t('ui.palette.back') : t('ui.palette.close') },
  ]
  return (
    <div className={css.foot}>
      {entry?.cli ? <code className={css.cli}>{entry.cli}</code> : <span className={css.grow} />}
      {hints.map(({ caps, text }) => (
        <span key={text} className={css.footHint}>
          <Keycap caps={caps} />
          {text}
        </span>
      ))}
    </div>
  )
}
