import type { Clock } from '../../kernel/ports.ts'

/** When a notification was last sent (epoch ms), and how long its repeats are dropped. */
export interface Mute {
  sentAt: number
  waitMs: number
}

const firstWaitMs = 15 * 60_000
const longestWaitMs = 24 * 3_600_000
/** A notification this long after its wait counts as the first again. */
const graceMs = 10 * 60_000

/** Decides whether to send, and the next state (contract engines 4.8). If the clock was set back, the mute ends. */
export function decideMute(known: Mute | undefined, now: number): { isSent: boolean; mute: Mute } {
  const since = known ? now - known.sentAt : -1
  if (!known || since < 0 || since >= known.waitMs + graceMs)
    return { isSent: true, mute: { sentAt: now, waitMs: firstWaitMs } }
  if (since < known.waitMs) return { isSent: false, mute: known }
  return { isSent: true, mute: { sentAt: now, waitMs: Math.min(known.waitMs * 2, longestWaitMs) } }
}

export function createMutes(clock: Clock) {
  const mutes = new Map<string, Mute>()
  let sweptAt = clock.now()
  const keyOf = (label: string, group: string) => JSON.stringify([label, group])

  function sweep(now: number) {
    if (Math.abs(now - sweptAt) < graceMs) return
    sweptAt = now
    for (const [key, { sentAt, waitMs }] of mutes) if (now - sentAt >= waitMs + graceMs) mutes.delete(key)
  }

  return {
    take(label: string, group: string): boolean {
      const now = clock.now()
      sweep(now)
      const key = keyOf(label, group)
      const { isSent, mute } = decideMute(mutes.get(key), now)
      mutes.set(key, mute)
      return isSent
    },
    lift(label: string, group: string): void {
      mutes.delete(keyOf(label, group))
    },
  }
}
