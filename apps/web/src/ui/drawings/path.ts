import type { Trend } from '@qd/core/define'
import { firstItem, lastItem } from '@qd/core/errors'

export interface PathBox {
  width: number
  height: number
  min: number
  max: number
  /** Points across the whole width; fewer are drawn at the right, as the newest. */
  slots?: number
}

/** SVG path, oldest point first, newest at the right edge, with gaps for unknown ones. Clamps values to the scale. */
export function linePath(points: Trend, box: PathBox): string {
  return stretches(points, box)
    .map((places) => (places.length > 1 ? through(places) : `${through(places)}h0`))
    .join('')
}

/** The same path, closed along the bottom of the box for filling. */
export function areaPath(points: Trend, box: PathBox): string {
  return stretches(points, box)
    .map((places) => `${through(places)}L${lastItem(places)[0]} ${box.height}L${firstItem(places)[0]} ${box.height}Z`)
    .join('')
}

type Place = readonly [x: string, y: string]

const through = (places: readonly Place[]) => places.map(([x, y], index) => `${index ? 'L' : 'M'}${x} ${y}`).join('')

function stretches(points: Trend, { width, height, min, max, slots = points.length }: PathBox): Place[][] {
  const step = width / Math.max(1, slots - 1)
  const left = width - (points.length - 1) * step
  const span = max - min || 1
  const found: Place[][] = []
  for (const [index, value] of points.entries()) {
    if (value === null) continue
    const y = height - (Math.min(max, Math.max(min, value)) - min) * (height / span)
    const place = [(left + index * step).toFixed(1), y.toFixed(1)] as const
    if (index > 0 && points[index - 1] !== null) lastItem(found).push(place)
    else found.push([place])
  }
  return found
}

export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
