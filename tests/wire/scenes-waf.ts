import { createFakeClock } from '../support/fake-clock.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import type { World } from '../support/world.ts'

/** Time passes where the recording waited for a block to end. */
export const wafClock = createFakeClock()

/** What happened outside the calls of `online-users` and `waf` just before a step. */
export async function enterWaf(step: string, world: World): Promise<void> {
  if (step === 'list: one admin, one guest') {
    await openSocket(world)
    await openSocket(world, { browser: await world.login({ username: 'admin', password: 'admin' }) })
  }
  // The next second, so that what is listed by its time has an order.
  wafClock.set(wafClock.now() + 1000)
  if (step.startsWith('free again after 3 s')) wafClock.set(wafClock.now() + 3000)
  if (step.startsWith('total 2: still blocked after 3 s')) wafClock.set(wafClock.now() + 3000)
}
