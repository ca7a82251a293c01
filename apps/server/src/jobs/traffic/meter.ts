/** Bytes in both directions. */
export interface Bytes {
  readonly in: number
  readonly out: number
}

/** What a host says of its network: counters since its boot (epoch seconds). */
export interface Counters extends Bytes {
  readonly boot: number
}

/** How far a host's counters have come since they were last written down. */
export interface Meter {
  /** The counters that are written down. */
  readonly base: Counters
  readonly last: Bytes
  /** Grown before the counters began anew. */
  readonly carry: Bytes
}

/** Agents in containers work their boot time out anew each time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2

const none: Bytes = { in: 0, out: 0 }

/** A meter that begins at these counters. */
export const meterAt = (base: Counters): Meter => ({ base, last: base, carry: none })

/** Takes the counters of a report. After a boot they count from 0; where they fell without one nothing is known of the fall. Pure. */
export function read(meter: Meter, counters: Counters): Meter {
  const { base, last } = meter
  const isBooted = counters.boot > base.boot + jitterSeconds
  if (!isBooted && counters.in >= last.in && counters.out >= last.out) return { ...meter, last: counters }
  return { base: isBooted ? { ...none, boot: counters.boot } : counters, last: counters, carry: grown(meter) }
}

/** Bytes since the counters were written down. Pure. */
export function grown({ base, last, carry }: Meter): Bytes {
  return { in: carry.in + last.in - base.in, out: carry.out + last.out - base.out }
}

/** The same counters, written down. Pure. */
export const written = ({ base, last }: Meter): Meter => meterAt({ ...last, boot: base.boot })

/** A meter whose growth could not be written down after all. Pure. */
export const unwritten = (meter: Meter, bytes: Bytes): Meter => ({ ...meter, carry: sum(meter.carry, bytes) })

/** Both together. Pure. */
export const sum = (a: Bytes, b: Bytes): Bytes => ({ in: a.in + b.in, out: a.out + b.out })
