import type { Tone, Trend } from '@qd/core/define'
import { dayTone } from '@qd/core/fields'
import type { Line } from '../terminal/line.ts'
import { blank, span } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'

const toneRoles: Readonly<Record<string, Role>> = { warn: 'warn', bad: 'bad' }

/** `━` used, `─` free, colored from the warning limit on (looks/tui.md "Frame"). */
export function meter(value: number, tone: Tone, cells: number): Line {
  const used = Math.max(0, Math.min(cells, Math.round((value / 100) * cells)))
  return [span('━'.repeat(used), toneRoles[tone] ?? 'plain'), span('─'.repeat(cells - used), 'track')]
}

const bars = '▁▂▃▄▅▆▇█'

/** The last values on a scale of 0 to `top`; newest at the right, blank where unknown. */
export function sparkline(values: Trend, cells: number, top = 100): Line {
  const points = resampled(values, cells)
  const text = points
    .map((value) => (value === null ? ' ' : bars[Math.max(0, Math.min(7, Math.floor((value / top) * 8)))]))
    .join('')
  return [blank(cells - points.length), span(text)]
}

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

const dayHeights = [
  [100, '▁'],
  [99, '▂'],
  [95, '▄'],
  [80, '▆'],
  [50, '▇'],
] as const

export function dayBars(days: readonly number[]): Line {
  return days.map((percent) => {
    if (percent < 0) return span('·', 'muted')
    const bar = dayHeights.find(([least]) => percent >= least)?.[1] ?? '█'
    return span(bar, toneRoles[dayTone(percent)] ?? 'ok')
  })
}
