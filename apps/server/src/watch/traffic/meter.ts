export interface Bytes {
  readonly in: number
  readonly out: number
}

/** Network counters since boot (epoch seconds). */
export interface Counters extends Bytes {
  readonly boot: number
}

export interface Meter {
  readonly base: Counters
  readonly last: Bytes
  /** Growth before the counters were reset. */
  readonly carry: Bytes
}

/** Agents in containers recompute their boot time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2

const none: Bytes = { in: 0, out: 0 }

export const meterAt = (base: Counters): Meter => ({ base, last: base, carry: none })

/** After a boot, counters start at 0. If they fell without a boot, the loss is unknown and not counted. */
export function read(meter: Meter, counters: Counters): Meter {
  const { base, last, carry } = meter
  const isBooted = counters.boot > base.boot + jitterSeconds
  if (!isBooted && counters.in >= last.in && counters.out >= last.out) return { base, last: counters, carry }
  return { base: isBooted ? { ...none, boot: counters.boot } : counters, last: counters, carry: grown(meter) }
}

export function grown({ base, last, carry }: Meter): Bytes {
  return { in: carry.in + last.in - base.in, out: carry.out + last.out - base.out }
}

export const written = ({ base, last }: Meter): Meter => meterAt({ ...last, boot: base.boot })

export const unwritten = (meter: Meter, bytes: Bytes): Meter => ({ ...meter, carry: sum(meter.carry, bytes) })

export const sum = (a: Bytes, b: Bytes): Bytes => ({ in: a.in + b.in, out: a.out + b.out })
