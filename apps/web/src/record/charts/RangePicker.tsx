import { Radio, RadioGroup } from 'react-aria-components'
import { type Range, ranges as spans } from '../../base/state/charts.ts'
import { useTexts } from '../../base/state/texts.ts'
import { segment, segments } from '../../ui/inputs/Toggle.css.ts'
import * as css from './Charts.css.ts'

export type Shown = Range | 'live'

export function RangePicker<One extends Shown>({
  ranges,
  value,
  onChange,
}: {
  ranges: readonly One[]
  value: One
  onChange: (range: One) => void
}) {
  const { t, format } = useTexts()
  const spanText = (range: Shown) => (range === 'live' ? t('ui.history.live') : format.duration(spans[range] / 1000))
  return (
    <RadioGroup
      className={`${segments} ${css.rangePicker}`}
      aria-label={t('ui.history.range')}
      orientation="horizontal"
      value={value}
      onChange={(range) => onChange(range as One)}
    >
      {ranges.map((range) => (
        <Radio key={range} value={range} className={segment}>
          {spanText(range)}
        </Radio>
      ))}
    </RadioGroup>
  )
}
