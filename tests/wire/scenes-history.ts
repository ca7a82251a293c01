import type { FakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import type { World } from '../support/world.ts'

const stepMs = 30_000
/** Nothing of what was before is within the longest period. */
const longMs = 31 * 86_400_000

/** The services of the recording: up to two of them answer. */
const services = [
  { name: 'tcp', type: 3, target: '127.0.0.1:18199', delays: [0.3, 0.4] },
  { name: 'http', type: 1, target: 'http://127.0.0.1:18199/', delays: [1.1, 1.2] },
  { name: 'bad', type: 3, target: '127.0.0.1:1', delays: [null, null] },
] as const

/** A recording begins long after the agents have reported. */
export function forgetSamples(clock: FakeClock): void {
  clock.set(clock.now() + longMs)
}

/** What happened before a step of the recordings of history: services are made, and then a minute passes. */
export async function enterHistory(
  step: string,
  { world, clock, agent }: { world: World; clock: FakeClock; agent: SimulatedAgent },
): Promise<void> {
  if (step === 'service history right after creation') await createServices(world)
  if (step !== 'metric cpu') return
  const { live, history } = world.server.container
  for (const turn of [0, 1]) {
    const before = live.versionOf(1)
    agent.report({ cpu: 10 + turn })
    while (live.versionOf(1) === before) await new Promise((resolve) => setImmediate(resolve))
    for (const [index, { delays }] of services.entries()) {
      const delay = delays[turn]!
      for (const _ of [1, 2])
        history.service({ serviceId: index + 1, serverId: 1, at: clock.now(), delay, ok: delay !== null })
    }
    await clock.advance(stepMs)
  }
}

async function createServices(world: World): Promise<void> {
  const browser = await world.login({ username: 'admin', password: 'admin' })
  const rest = { duration: 86_400, display_index: 0, cover: 1, skip_servers: { 1: true } }
  for (const { name, type, target } of services) await browser.api('POST', 'service', { ...rest, name, type, target })
}
