import type { Base } from '../../base.ts'

/** One line per address and this time, however often it tries (behaviour S-39). */
const quietMs = 60_000
/** Addresses remembered; with more the oldest is forgotten. */
const mostAddresses = 1000

/** Logs agents that were refused, without a flood. */
export function createRefusalLog({ clock, log }: Pick<Base, 'clock' | 'log'>): (address: string) => void {
  const told = new Map<string, number>()
  return (address) => {
    const now = clock.now()
    const last = told.get(address)
    if (last !== undefined && Math.abs(now - last) < quietMs) return
    told.delete(address)
    told.set(address, now)
    const [oldest] = told.keys()
    if (told.size > mostAddresses && oldest !== undefined) told.delete(oldest)
    log.warn({ address }, 'agent refused: wrong secret or UUID, or the UUID belongs to another user')
  }
}
