import { type Backoff, backoffMs, jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'

/** In ms. */
export interface Timing {
  callMs: number
  /** Interval of host reports (agent contract 2.2). */
  hostPeriodMs: number
  /** Without a receipt the server counts as lost: a dead network reports no error. */
  receiptMs: number
  commandMs: number
  probe: { httpMs: number; icmpMs: number; tcpMs: number }
  /** For Nezha servers (agent contract 3.8). */
  applyDelayMs: number
  progressMs: number
  /** How long a shell waits for its terminal’s size. */
  firstSizeMs: number
  streamKeepaliveMs: number
  /** For the server to end a call (Nezha: 10 s). */
  goodbyeMs: number
  /** Full jitter. */
  reconnect: Backoff
  /** At least half, so that a firewall isn’t provoked. */
  refused: Backoff
  steadyMs: number
}

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

/** `failures`: consecutive ones before; `random` in [0, 1). Full jitter spreads a fleet’s reconnects. */
export const toRetryDelayMs = (timing: Timing, isRefused: boolean, failures: number, random: number): number =>
  isRefused ? jitteredBackoffMs(timing.refused, failures, random) : backoffMs(timing.reconnect, failures) * random
