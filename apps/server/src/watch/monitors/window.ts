import type { ServiceStatus } from '@qd/core/resources'

/** Results that came at about the same time, of one probe of each reporter. `at`: epoch ms of the first. */
export interface Round {
  readonly at: number
  readonly up: number
  readonly down: number
}

/** How a service stands: a value of core's `ServiceStatus`. */
export type Status = (typeof ServiceStatus)[keyof typeof ServiceStatus]

/** Rounds that are judged: a quarter of an hour of probes every 30 s (contract engines 2.3, Q10 sliding). */
const maxRounds = 30
/** A round takes results for this long: less than the usual time between probes, so that a quick answer after a slow one is of the next. */
export const roundMs = 25_000

/** The round that a result of now belongs to: the open one, or a new one that begins now. */
export function openRound(rounds: readonly Round[], at: number): Round | null {
  const last = rounds.at(-1)
  return last && at >= last.at && at - last.at < roundMs ? last : null
}

/** The rounds with one more result, oldest first; the oldest leaves for a new one, and what was long before a silence counts no more. Pure. */
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

/** Successes and failures of all rounds. */
export function sumOf(rounds: readonly Round[]): { up: number; down: number } {
  let [up, down] = [0, 0]
  for (const round of rounds) {
    up += round.up
    down += round.down
  }
  return { up, down }
}
