/** Where points are drawn: a box in px, the value at its foot and at its top. */
export interface PathBox {
  width: number
  height: number
  min: number
  max: number
  /** How many points the whole width stands for; fewer are drawn at the right, as the newest. */
  slots?: number
}

/** SVG path through `points`, oldest first, newest at the right edge. Values outside the scale are held at its edge. Empty below two points. */
export function linePath(
  points: readonly number[],
  { width, height, min, max, slots = points.length }: PathBox,
): string {
  if (points.length < 2) return ''
  const step = width / (slots - 1)
  const left = width - (points.length - 1) * step
  const span = max - min || 1
  const y = (value: number) => height - (Math.min(max, Math.max(min, value)) - min) * (height / span)
  return points
    .map((value, index) => `${index ? 'L' : 'M'}${(left + index * step).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
}

/** The same path closed along the foot of the box, to be filled. */
export function areaPath(points: readonly number[], box: PathBox): string {
  const line = linePath(points, box)
  if (line === '') return ''
  const slots = box.slots ?? points.length
  const left = box.width - (points.length - 1) * (box.width / (slots - 1))
  return `${line}L${box.width} ${box.height}L${left.toFixed(1)} ${box.height}Z`
}

/** A round figure at or above `value` to scale a chart by: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
