import type { Report } from '@qd/core/define'
import { view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { tones } from '../../ui/StateMark.css.ts'
import * as css from './Cell.css.ts'

export function ReportLines({ report }: { report: Report }) {
  const { translator, format } = useTexts()
  const lines = report({ translator, format, view })
  return (
    <ul className={css.lines}>
      {lines.map(({ text, tone }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
        <li key={place} className={`${css.line} ${tones[tone]}`}>
          {text}
        </li>
      ))}
    </ul>
  )
}
