import { dayTone } from '@qd/core/fields'
import { ports } from '../../base/ports.ts'
import { useTexts } from '../../base/state/texts.ts'
import { days as daysStyle, tones } from '../../ui/drawings/Drawings.css.ts'

const dayMs = 86_400_000
const minutesOfDay = 1440

/** Uptime of each day in percent, today last, -1 without data. */
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
  const titleOf = (percent: number, index: number) => {
    const day = dayOf(index)
    if (percent < 0) return t('ui.days.none', { day })
    const minutes = Math.round((minutesOfDay * (100 - percent)) / 100)
    const said = { day, percent: percentOf(percent) }
    // Today isn’t over, and a day after one without data may have started late, so downtime in minutes isn’t known.
    const isWhole = index < percents.length - 1 && percents[index - 1] !== -1
    return minutes < 1 || !isWhole
      ? t('ui.days.day', said)
      : t('ui.days.down', { ...said, span: format.duration(minutes * 60) })
  }
  const days = percents.map((percent, index) => ({
    tone: dayTone(percent),
    title: titleOf(percent, index),
  }))
  return <Days days={days} label={label} />
}

export interface Day {
  tone: keyof typeof tones
  title: string
}

function Days({ days, label }: { days: readonly Day[]; label: string }) {
  return (
    <span className={daysStyle} role="img" aria-label={label}>
      {days.map(({ tone, title }) => (
        <i key={title} className={tones[tone]} title={title} />
      ))}
    </span>
  )
}
