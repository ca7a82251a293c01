import type { Tone, Trend } from '@qd/core/define'
import { dayTone } from '@qd/core/fields'
import type { Line } from '../terminal/line.ts'
import { blank, span } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'

const toneRoles: Readonly<Record<string, Role>> = { warn: 'warn', bad: 'bad' }

/** A meter: `━` used, `─` free, in the colour of its tone from the warning limit on (looks/tui.md "Frame"). */
export function meter(value: number, tone: Tone, cells: number): Line {
  const used = Math.max(0, Math.min(cells, Math.round((value / 100) * cells)))
  return [span('━'.repeat(used), toneRoles[tone] ?? 'text'), span('─'.repeat(cells - used), 'track')]
}

const bars = '▁▂▃▄▅▆▇█'

/** The last values of a figure on a fixed scale of 0 to 100, or to `top`; the newest at the right, a blank where nothing is known. */
export function sparkline(values: Trend, cells: number, top = 100): Line {
  const points = resampled(values, cells)
  const text = points
    .map((value) => (value === null ? ' ' : bars[Math.max(0, Math.min(7, Math.floor((value / top) * 8)))]))
    .join('')
  return [blank(cells - points.length), span(text)]
}

/** At most so many points, each the mean of what is known of its stretch. */
function resampled(values: Trend, count: number): Trend {
  if (values.length <= count) return [...values]
  const step = values.length / count
  return Array.from({ length: count }, (_, index) => {
    const stretch = values.slice(
      Math.floor(index * step),
      Math.max(Math.floor((index + 1) * step), Math.floor(index * step) + 1),
    )
    const known = stretch.filter((value) => value !== null)
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
  })
}

/** The height of a day by the percent of it that was up: the worse, the taller. */
const dayHeights = [
  [100, '▁'],
  [99, '▂'],
  [95, '▄'],
  [80, '▆'],
  [50, '▇'],
] as const

/** A bar for each day, today at the right; `·` for days without data. Height and colour say the same. */
export function dayBars(days: readonly number[]): Line {
  return days.map((percent) => {
    if (percent < 0) return span('·', 'muted')
    const bar = dayHeights.find(([least]) => percent >= least)?.[1] ?? '█'
    return span(bar, toneRoles[dayTone(percent)] ?? 'ok')
  })
}
