import { dayTone } from '@qd/core/fields'
import { ports } from '../../base/ports.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Days } from '../../ui/drawings/Days.tsx'

const dayMs = 86_400_000

/** Percent up of each day, today last, -1 without data. */
export function DaysValue({ percents }: { percents: readonly number[] }) {
  const { t, format } = useTexts()
  const dayOf = (index: number) => format.day(ports.now() - (percents.length - 1 - index) * dayMs)
  const percentOf = (value: number) => format.percent(value, 2)
  const known = percents.filter((percent) => percent >= 0)
  const worst = percents.indexOf(Math.min(...known))
  const label =
    known.length === 0
      ? t('ui.days.unknown')
      : t('ui.days.all', { count: known.length, percent: percentOf(percents[worst]!), day: dayOf(worst) })
  const days = percents.map((percent, index) => ({
    tone: dayTone(percent),
    title: t(percent < 0 ? 'ui.days.none' : 'ui.days.day', { day: dayOf(index), percent: percentOf(percent) }),
  }))
  return <Days days={days} label={label} />
}
