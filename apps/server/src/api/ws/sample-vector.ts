import type { LiveState } from '../../fleet/live/live-state.ts'

/** The figures of a server as integers, in the order and units of docs/live-feed.md, "Samples". */
export function sampleVector(live: LiveState, id: number): number[] {
  const state = live.sampleOf(id)
  const scaled = (value: number | undefined, factor: number) => Math.round((value ?? 0) * factor)
  return [
    live.lastActive(id) ?? 0,
    scaled(state.cpu, 10),
    state.mem_used ?? 0,
    state.swap_used ?? 0,
    state.disk_used ?? 0,
    state.net_in_transfer ?? 0,
    state.net_out_transfer ?? 0,
    state.net_in_speed ?? 0,
    state.net_out_speed ?? 0,
    state.uptime ?? 0,
    scaled(state.load_1, 100),
    scaled(state.load_5, 100),
    scaled(state.load_15, 100),
    state.tcp_conn_count ?? 0,
    state.udp_conn_count ?? 0,
    state.process_count ?? 0,
  ]
}

/** What to add to `before` to get `after`, without trailing zeros; empty if they are equal. */
export function differences(before: readonly number[], after: readonly number[]): number[] {
  const differing = after.map((value, index) => value - (before[index] ?? 0))
  return differing.slice(0, differing.findLastIndex((value) => value !== 0) + 1)
}
