import { createLive$, createRecords$, createRemembered, createRunner, createSession$, createView } from './index.ts'
import type { createWorld } from './testing.ts'

export function createConsole(world: ReturnType<typeof createWorld>) {
  const remembered = createRemembered(world.ports)
  const records = createRecords$({ client: world.client, clock: world.ports, remembered })
  const session = createSession$({
    client: world.client,
    storage: world.ports.storage,
    remembered,
    baseUrl: 'http://fleet',
    onWho: (who) => records.open(who),
    waiting: () => runner.waiting,
  })
  const live = createLive$({
    ports: world.ports,
    baseUrl: 'http://fleet',
    client: world.client,
    records,
    view: () => view,
  })
  const view = createView({ records, live, supports: session.supports })
  const runner = createRunner({ client: world.client, clock: world.ports, records, session, view })
  return { session, records, runner }
}
