import { useEffect, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { type Range, ranges, type Zoom } from '../../base/state/charts.ts'
import type { Span } from './align.ts'

export const chartPoints = 300

/** The time range to request. Without a zoom it advances once per point, at most twice a minute. */
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

export const spanOf = ({ from, to }: Zoom, stepMs: number): Span => ({ from, to, stepMs })
