import { days as daysStyle, tones } from './Drawings.css.ts'

/** One day: how it was, and its date with the figure. */
export interface Day {
  tone: keyof typeof tones
  title: string
}

/** A bar for each day, the newest at the right: the taller, the worse (tokens.md 6). `label` says them in words. */
export function Days({ days, label }: { days: readonly Day[]; label: string }) {
  return (
    <span className={daysStyle} role="img" aria-label={label}>
      {days.map(({ tone, title }) => (
        <i key={title} className={tones[tone]} title={title} />
      ))}
    </span>
  )
}
