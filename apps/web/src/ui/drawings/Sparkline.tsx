import type { Trend } from '@qd/core/define'
import { chart, chartArea, chartBase, chartLine, chartSecond, chartThreshold, spark, stroke } from './Drawings.css.ts'
import { areaPath, linePath, roundUp } from './path.ts'

/** Fewer points don’t fill the width: the hours of a day. */
const leastSlots = 24

/** A row’s trend on a fixed scale of 0 to 100, so that rows compare, or up to `max`. Decorative: its number stands beside it. */
export function Sparkline({
  points,
  max = 100,
  tone = 'plain',
}: {
  points: Trend
  max?: number | undefined
  tone?: 'plain' | 'warn' | 'bad'
}) {
  const d = linePath(points, { width: 72, height: 16, min: 0, max, slots: Math.max(leastSlots, points.length) })
  return (
    <svg className={spark} viewBox="0 0 72 16" aria-hidden="true">
      <path
        d={d}
        fill="none"
        strokeWidth={1.25}
        strokeLinecap="round"
        strokeLinejoin="round"
        className={stroke[tone]}
      />
    </svg>
  )
}

export interface ChartProps {
  points: Trend
  second?: Trend | undefined
  max?: number | undefined
  threshold?: number | undefined
}

/** 52 px high: one filled line or two lines, with a dotted threshold. Without `max` the scale is rounded up from the data. */
export function Chart({ points, second, max, threshold }: ChartProps) {
  const top = max ?? roundUp(Math.max(...[...points, ...(second ?? [])].map(Number), 0) * 1.1)
  const box = { width: 175, height: 50, min: 0, max: top }
  return (
    <svg className={chart} viewBox="0 0 175 52" preserveAspectRatio="none" aria-hidden="true">
      <path className={chartArea} d={areaPath(points, box)} />
      <line className={chartBase} x1="0" x2="175" y1="51" y2="51" vectorEffect="non-scaling-stroke" />
      {threshold !== undefined && (
        <line
          className={chartThreshold}
          x1="0"
          x2="175"
          y1={50 - (threshold * 50) / top}
          y2={50 - (threshold * 50) / top}
          vectorEffect="non-scaling-stroke"
        />
      )}
      <path className={chartLine} d={linePath(points, box)} vectorEffect="non-scaling-stroke" />
      {second && <path className={chartSecond} d={linePath(second, box)} vectorEffect="non-scaling-stroke" />}
    </svg>
  )
}
