import { createFakeClock } from '../support/fake-clock.ts'
import type { World } from '../support/world.ts'

/** Time stands still but for what rules wait for. */
export const alertsClock = createFakeClock()

/** Before the statistics of cycles the recorded server had looked at its rules: the first time 13 s after its start, here from the database. */
export async function enterAlerts(step: string, world: World): Promise<void> {
  if (step !== 'cycle statistics in GET /service') return
  const { alerts } = world.server.container
  while (alerts.cycleStats(() => true) === null) {
    await alertsClock.advance(3000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
