import { type Backoff, backoffMs, jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'

/** Every waiting time of the agent, in milliseconds; tests shorten them. */
export interface Timing {
  /** Deadline of a unary call. Source: agent contract 1.2. */
  callMs: number
  /** How often the description of the machine is sent again. Source: agent contract 2.2. */
  hostPeriodMs: number
  /** After this time without a receipt for a report the server counts as lost, because a dead network gives no error. */
  receiptMs: number
  /** Longest time a command may take. Source: agent contract 3.5. */
  commandMs: number
  /** Longest time of a probe. Source: agent contract 3.4. */
  probe: { httpMs: number; icmpMs: number; tcpMs: number }
  /** Time between the arrival of a configuration from a Nezha server and its use. Source: agent contract 3.8. */
  applyDelayMs: number
  /** Shortest time between two pieces of a running command's output. */
  progressMs: number
  /** How long a terminal's shell waits for its size before it starts without one. */
  firstSizeMs: number
  /** How often the agent sends a keepalive message on a relayed stream. Source: agent contract 2.3. */
  streamKeepaliveMs: number
  /** How long the server may take to end a call that the agent has ended (Nezha agents wait 10 s). */
  goodbyeMs: number
  /** Next try after a lost connection: between 0 and the backoff (full jitter). */
  reconnect: Backoff
  /** Next try after a refused secret or identity: at least half of it, so that a firewall is not provoked. */
  refused: Backoff
  /** A connection that lasted this long resets the number of failures in a row. */
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
  reconnect: reconnectBackoff,
  refused: { firstMs: 10_000, maxMs: 120_000 },
  steadyMs: 30_000,
}

/**
 * How long to wait before the next try, after so many failures in a row before this one (0 at first). `random` is at
 * least 0 and below 1. Lost connections get full jitter, so that a fleet does not return in one wave.
 */
export const toRetryDelayMs = (timing: Timing, isRefused: boolean, failures: number, random: number): number =>
  isRefused ? jitteredBackoffMs(timing.refused, failures, random) : backoffMs(timing.reconnect, failures) * random
