import type { Base } from '../base.ts'
import type { LiveStore } from '../fleet/live/live-store.ts'
import type { Engine } from '../kernel/engine.ts'
import { createWindowTimes } from './incidents/windows.ts'

/** Windows are looked at again after this, however far the next start or end is. */
const longestMs = 3_600_000

/** Keeps in the live state which servers are in maintenance, when a window starts or ends and when windows or servers change. */
export function createMaintenance(
  base: Pick<Base, 'clock' | 'servers' | 'maintenanceWindows' | 'accounts'>,
  live: Pick<LiveStore, 'maintain'>,
): Engine {
  const { clock, servers, maintenanceWindows } = base
  const windows = createWindowTimes(base)
  let cancel = () => {}
  const look = () => {
    cancel()
    const now = clock.now()
    for (const row of servers.all()) live.maintain(row.id, windows.untilOf(row, now))
    const next = windows.nextTurn(now)
    if (next !== null) cancel = clock.after(Math.min(longestMs, next - now), look)
  }
  const stops: (() => void)[] = []
  return {
    name: 'maintenance',
    async start() {
      look()
      stops.push(
        maintenanceWindows.onChange(look),
        servers.onChange(({ after }) => after && live.maintain(after.id, windows.untilOf(after, clock.now()))),
      )
    },
    trouble: () => null,
    async stop() {
      cancel()
      for (const stop of stops) stop()
    },
  }
}
