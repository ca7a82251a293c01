/** Exponential backoff: `firstMs`, doubled with each failure in a row, up to `maxMs`. */
export interface Backoff {
  firstMs: number
  maxMs: number
}

export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures)

/** The same with up to 50% jitter, so that many clients don’t come back at once. `random` is at least 0 and below 1. */
export const jitteredBackoffMs = (backoff: Backoff, failures: number, random: number): number =>
  backoffMs(backoff, failures) * (0.5 + random / 2)

/** For a client that lost its server. */
export const reconnectBackoff: Backoff = { firstMs: 1000, maxMs: 30_000 }
