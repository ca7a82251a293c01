import type { ServiceStatus } from '@qd/core/resources'

/** Results of one probe, one per reporter. `at`: epoch ms of the first. */
export interface Round {
  readonly at: number
  readonly up: number
  readonly down: number
}

export type Status = (typeof ServiceStatus)[keyof typeof ServiceStatus]

/** 15 min of probes every 30 s (contract engines 2.3, Q10 sliding). */
const maxRounds = 30
/** Shorter than the usual interval, so that a quick answer after a slow one belongs to the next round. */
export const roundMs = 25_000

/** The open round; null if the result starts a new one. */
export function openRound(rounds: readonly Round[], at: number): Round | null {
  const last = rounds.at(-1)
  return last && at >= last.at && at - last.at < roundMs ? last : null
}

/** Adds a result. The oldest round leaves, and rounds before a long silence don't count. */
export function addToRounds(
  rounds: readonly Round[],
  { at, ok, everyMs }: { at: number; ok: boolean; everyMs: number },
): Round[] {
  const open = openRound(rounds, at)
  if (!open && rounds[0] && at - rounds[0].at > maxRounds * 2 * Math.max(everyMs, roundMs))
    return [{ at, up: ok ? 1 : 0, down: ok ? 0 : 1 }]
  const { up, down } = open ?? { up: 0, down: 0 }
  const round = { at: open?.at ?? at, up: up + (ok ? 1 : 0), down: down + (ok ? 0 : 1) }
  return [...(open ? rounds.slice(0, -1) : rounds.slice(1 - maxRounds)), round]
}

export function sumOf(rounds: readonly Round[]): { up: number; down: number } {
  let [up, down] = [0, 0]
  for (const round of rounds) {
    up += round.up
    down += round.down
  }
  return { up, down }
}
