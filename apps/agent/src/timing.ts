/** Every waiting time of the agent, in milliseconds; tests shorten them. */
export interface Timing {
  /** Deadline of a unary call. Source: agent contract 1.2. */
  callMs: number
  /** How often the description of the machine is sent again. Source: agent contract 2.2. */
  hostPeriodMs: number
  /** A server that does not confirm a report for so long is taken for gone: a dead network says nothing. */
  receiptMs: number
  /** Longest time a command may take. Source: agent contract 3.5. */
  commandMs: number
  /** Longest time of a probe. Source: agent contract 3.4. */
  probe: { httpMs: number; icmpMs: number; tcpMs: number }
  /** A configuration from an existing server is put in force so long after it came. Source: agent contract 3.8. */
  applyDelayMs: number
  /** Shortest time between two pieces of a running command's output. */
  progressMs: number
  /** A terminal's shell starts without having been told its size after so long. */
  firstSizeMs: number
  /** How often an empty message says on a relayed stream that we are there. Source: agent contract 2.3. */
  streamKeepaliveMs: number
  /** How long the server may take to end a call that the agent has ended (existing agents wait 10 s). */
  goodbyeMs: number
  /** Next try after a lost connection: between 0 and `first`, doubled with each failure in a row, up to `most`. */
  reconnect: { firstMs: number; mostMs: number }
  /** Next try after a refused secret or identity: at least half of it, so that a firewall is not provoked. */
  refused: { firstMs: number; mostMs: number }
  /** A connection that lasted so long ends a row of failures. */
  steadyMs: number
}

/** The times of a real agent. */
export const defaultTiming: Timing = {
  callMs: 10_000,
  hostPeriodMs: 600_000,
  receiptMs: 30_000,
  commandMs: 2 * 3_600_000,
  probe: { httpMs: 30_000, icmpMs: 20_000, tcpMs: 10_000 },
  applyDelayMs: 10_000,
  progressMs: 250,
  firstSizeMs: 1_000,
  streamKeepaliveMs: 30_000,
  goodbyeMs: 2_000,
  reconnect: { firstMs: 1_000, mostMs: 30_000 },
  refused: { firstMs: 10_000, mostMs: 120_000 },
  steadyMs: 30_000,
}

const grown = ({ firstMs, mostMs }: { firstMs: number; mostMs: number }, failures: number): number =>
  Math.min(mostMs, firstMs * 2 ** Math.min(failures, 20))

/**
 * How long to wait before the next try, after so many failures in a row before this one (0 at first). `random` is at
 * least 0 and below 1. Lost connections get full jitter, so that a fleet does not return in one wave.
 */
export const toRetryDelayMs = (timing: Timing, isRefused: boolean, failures: number, random: number): number =>
  isRefused ? grown(timing.refused, failures) * (0.5 + random / 2) : grown(timing.reconnect, failures) * random
