/** 0 to 1, deterministic. */
export function noiseOf(seed: number, step: number): number {
  const mixed = Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** 0 to 1, smooth, with a new value per `period`. */
export function wander(seed: number, at: number, period: number): number {
  const place = at / period
  const step = Math.floor(place)
  const part = place - step
  const smooth = part * part * (3 - 2 * part)
  const from = noiseOf(seed, step)
  return from + (noiseOf(seed, step + 1) - from) * smooth
}
