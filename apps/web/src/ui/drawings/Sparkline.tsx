import { areaPath, linePath, roundUp } from './path.ts'
import { chart, chartArea, chartBase, chartLine, chartSecond, chartThreshold, spark, stroke } from './Sparkline.css.ts'

/** Points that fill a trend: at most ten minutes of 5 s; while fewer are known, at least two minutes. */
export const trendSlots = { least: 24, most: 120 }
const slotsFor = (count: number) => Math.max(trendSlots.least, Math.min(trendSlots.most, count))

/** The trend of a row: one thin line on a fixed scale of 0 to 100, so that rows compare, or up to `max`. Decorative: its number stands beside it. */
export function Sparkline({
  points,
  max = 100,
  tone = 'plain',
}: {
  points: readonly number[]
  max?: number | undefined
  tone?: 'plain' | 'warn' | 'bad'
}) {
  const d = linePath(points, { width: 72, height: 16, min: 0, max, slots: slotsFor(points.length) })
  return (
    <svg className={spark} viewBox="0 0 72 16" aria-hidden="true">
      <path d={d} fill="none" strokeWidth={1.25} strokeLinejoin="round" className={stroke[tone]} />
    </svg>
  )
}

/** What a panel chart draws. `max` fixes the scale; without it the scale is rounded up from the data. */
export interface ChartProps {
  points: readonly number[]
  second?: readonly number[] | undefined
  max?: number | undefined
  threshold?: number | undefined
}

/** A chart of the panel: 52 px high, one filled line or two lines, a base line and a dotted threshold. */
export function Chart({ points, second, max, threshold }: ChartProps) {
  const top = max ?? roundUp(Math.max(...points, ...(second ?? []), 0) * 1.1)
  const box = { width: 175, height: 50, min: 0, max: top, slots: slotsFor(points.length) }
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
