import { plainText } from '@qd/core/define'
import { itemTones, type RunItem } from '@qd/core/resources'
import { useState } from 'react'
import { copy } from '../../../act/perform/perform.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { ResultWord } from '../../../ui/StateMark.tsx'
import * as css from './RunResults.css.ts'
import { stateIcon, useItemText } from './run-items.ts'
import { linesShown, outputLines } from './run-output.ts'

/** What one server answered: how it ended, and its output with what is not shown said in numbers. */
export function RunOutput({ item }: { item: RunItem }) {
  const { t, format } = useTexts()
  const itemText = useItemText()
  const [isWhole, setWhole] = useState(false)
  const lines = outputLines(item.output)
  const shown = isWhole ? lines : lines.slice(-linesShown)
  const hidden = lines.length - shown.length
  return (
    <>
      <div className={css.paneHead}>
        <b>{plainText(item.server_name) || `#${item.server_id}`}</b>
        <ResultWord tone={itemTones[item.state]} text={itemText.ending(item)} icon={stateIcon(item.state)} />
        <span className={css.grow} />
        {item.output !== '' && (
          <IconButton
            label={t('ui.run.copyOutput')}
            icon="copy"
            onPress={() => void copy(item.output, t('ui.run.output'))}
          />
        )}
      </div>
      {lines.length > 0 && (
        <div className={css.outputBox}>
          {hidden > 0 && (
            <div className={css.cutHead}>
              {t('ui.run.linesHidden', { count: hidden })}
              <button type="button" className={css.link} onClick={() => setWhole(true)}>
                {t('ui.run.showAll', { count: lines.length })}
              </button>
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section className={css.output} tabIndex={0} aria-label={t('ui.run.output')}>
            {shown.join('\n')}
          </section>
        </div>
      )}
      {item.cut_bytes > 0 && (
        <p className={css.small}>{t('ui.run.bytesCut', { size: format.bytes(item.cut_bytes) })}</p>
      )}
      {lines.length === 0 && <p className={css.small}>{itemText.silence(item)}</p>}
    </>
  )
}
