/** Bytes in both directions. */
export interface Bytes {
  readonly in: number
  readonly out: number
}

/** Network counters of a host since its boot (epoch seconds). */
export interface Counters extends Bytes {
  readonly boot: number
}

/** Growth of a host's counters since they were last stored. */
export interface Meter {
  /** The stored counters. */
  readonly base: Counters
  readonly last: Bytes
  /** Growth before the counters were reset. */
  readonly carry: Bytes
}

/** Agents in containers work their boot time out anew each time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2

const none: Bytes = { in: 0, out: 0 }

/** A meter that begins at these counters. */
export const meterAt = (base: Counters): Meter => ({ base, last: base, carry: none })

/** Adds the counters of a report. After a boot they count from 0. If they fell without a boot, the loss is unknown and not counted. Pure. */
export function read(meter: Meter, counters: Counters): Meter {
  const { base, last } = meter
  const isBooted = counters.boot > base.boot + jitterSeconds
  if (!isBooted && counters.in >= last.in && counters.out >= last.out) return { ...meter, last: counters }
  return { base: isBooted ? { ...none, boot: counters.boot } : counters, last: counters, carry: grown(meter) }
}

/** Bytes since the counters were stored. Pure. */
export function grown({ base, last, carry }: Meter): Bytes {
  return { in: carry.in + last.in - base.in, out: carry.out + last.out - base.out }
}

/** The meter after its counters were stored. Pure. */
export const written = ({ base, last }: Meter): Meter => meterAt({ ...last, boot: base.boot })

/** The meter if its counters could not be stored after all. Pure. */
export const unwritten = (meter: Meter, bytes: Bytes): Meter => ({ ...meter, carry: sum(meter.carry, bytes) })

/** The sum of both directions. Pure. */
export const sum = (a: Bytes, b: Bytes): Bytes => ({ in: a.in + b.in, out: a.out + b.out })
