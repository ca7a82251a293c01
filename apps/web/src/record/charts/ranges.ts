import { useEffect, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { type Range, ranges, type Zoom } from '../../base/state/charts.ts'
import type { Span } from './align.ts'

/** Points that a chart has room for. */
export const chartPoints = 300

/** From when to when to ask, moving on while nobody has zoomed: once for each point the chart could gain, at most twice a minute. */
export function useChartTime(range: Range, zoom: Zoom | null): Zoom {
  const stepMs = Math.max(30_000, ranges[range] / chartPoints)
  const [now, setNow] = useState(Date.now)
  const isMoving = zoom === null
  useEffect(() => {
    if (!isMoving) return
    setNow(ports.now())
    const timer = setInterval(() => setNow(ports.now()), stepMs)
    return () => clearInterval(timer)
  }, [isMoving, stepMs])
  return zoom ?? { from: now - ranges[range], to: now }
}

/** The span of a drawn chart. */
export const spanOf = ({ from, to }: Zoom, stepMs: number): Span => ({ from, to, stepMs })
